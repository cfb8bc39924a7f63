/**
 * The library: it takes pages and archives, and returns labelled pages and clean text. It prints nothing. State that
 * outlives a call is one kernel with its memory per thread, and caches of data that was read or compiled; none of it
 * changes a result. `import` and `require` both load it.
 */
export type { Fallback, FloorOptions } from './detect/confidence-fallback.ts';
export { crossDetector } from './detect/cross/cross-detector.ts';
export type { CrossOptions } from './detect/cross/cross-settings.ts';
export type { Detector, DetectorName, ParsedPage, SiteModel } from './detect/detector.ts';
export { domDetector } from './detect/dom-detector.ts';
export type { DomOptions } from './detect/dom-settings.ts';
export { type JointOptions, jointDetector } from './detect/joint/joint-detector.ts';
export { decodeJointModel, encodeJointModel, type JointModel } from './detect/joint/joint-model.ts';
export type { PageOptions, Smoothing } from './detect/page/judge-page.ts';
export { type PageDetectorOptions, pageDetector } from './detect/page/page-detector.ts';
export {
  decodePageModel,
  encodePageModel,
  type ModelCard,
  type PageModel,
  packagedPageModel,
  paperPageModel,
} from './detect/page/page-model.ts';
export type { Section } from './detect/page/sections.ts';
export { textDetector } from './detect/text-detector.ts';
export type { TextOptions } from './detect/text-settings.ts';
export type { CompressionFigures, SiteCompression } from './fragments/dictionary/measure.ts';
export { dictionaryHash, encodeDcb, encodeDcz } from './fragments/dictionary/measure.ts';
export {
  type DictionaryOptions,
  type DictionarySummary,
  writeDictionaries,
} from './fragments/dictionary/write-dictionaries.ts';
export { warcDictionaryFrame, zstdDictionaryFile } from './fragments/dictionary/zstd-dictionary-file.ts';
export type { IncludeStyle } from './fragments/includes/include-syntax.ts';
export { type VerifiedStyle, verifyIncludes } from './fragments/includes/rebuild-pages.ts';
export type { ManifestRow, StyleSummary } from './fragments/includes/style-writer.ts';
export {
  type IncludesOptions,
  type IncludesSummary,
  writeIncludes,
} from './fragments/includes/write-includes.ts';
export type {
  FragmentClass,
  FragmentMember,
  FragmentResult,
  Relation,
  SharedPage,
} from './fragments/shared-page.ts';
export { DEFAULT_LIMITS, type Limits } from './model/limits.ts';
export type { Capture, Page } from './model/page.ts';
export type { Problem, ProblemCode, SkipCode } from './model/problem.ts';
export type { Label, Range, Template } from './model/range.ts';
export { type ChoosableRole, ROLES, type Role, type RoleChoice } from './model/role.ts';
export { type SiteRule, siteOf } from './model/site.ts';
export { version } from './model/version.ts';
export { Parser, TooManyNodesError } from './parse/parser.ts';
export { COMMENT, DECLARATION, DOCUMENT, ELEMENT, TEXT, type Tree } from './parse/tree.ts';
export { type ChangesRunOptions, type ChangesSummary, runChanges } from './run/changes-run.ts';
export { type DedupRow, type DedupRunOptions, type DedupSummary, runDedup } from './run/dedup-run.ts';
export { type FragmentRunOptions, type FragmentRunResult, runFragments } from './run/fragments-run.ts';
export { type GroupsRunOptions, runGroups, type SiteLayouts } from './run/groups-run.ts';
export { type Extraction, type ExtractOptions, extract, type Region } from './run/library/extract.ts';
export { Site, type SiteOptions, site } from './run/library/growing-site.ts';
export {
  type JudgedPage,
  type JudgeOptions,
  type JudgePageOptions,
  judgePage,
  judgePages,
  type PageJudgement,
  type PlacedSection,
} from './run/library/judge-pages.ts';
export {
  type LabelledPage,
  type LabelOptions,
  label,
  type StripOptions,
  strip,
} from './run/library/label-pages.ts';
export { type LearnOptions, learn, SiteModels } from './run/library/learn-pages.ts';
export { type Archive, type ArchiveOptions, openArchive } from './run/library/open-archive.ts';
export { openPages, type PageSourceOptions } from './run/library/open-pages.ts';
export type { PageInput } from './run/library/page-input.ts';
export { type ReportResult, type ReportRunOptions, runReport } from './run/report-run.ts';
export { runTrain, TrainingError, type TrainOptions, type TrainResult } from './run/train-run.ts';
export type { ChangeClass, ChangeRow } from './store/change-rows.ts';
export { HISTORY_QUERIES } from './store/history/history-queries.ts';
export type { RedesignClass } from './store/redesigns.ts';
export { STUDY_QUERIES, type StudyQuery } from './store/study/study-queries.ts';
export { renderAnnotated } from './view/annotate-page.ts';
export { renderHtml } from './view/html.ts';
export { renderMarkdown } from './view/markdown.ts';
export type { TextRow } from './view/rows.ts';
export { renderText } from './view/visible-text.ts';
