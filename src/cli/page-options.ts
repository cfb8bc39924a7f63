/** The options of the page-level verdict, wherever it is given. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type PageOptions, SMOOTHINGS, type Smoothing } from '../detect/page/judge-page.ts';
import type { PageDetectorOptions } from '../detect/page/page.ts';
import { decodePageModel, type PageModel } from '../detect/page/page-model.ts';
import { numberBetween } from './common-options.ts';

export interface PageFlags {
  smoothing: Smoothing;
  penalty: number;
  threshold?: number;
}

/** The same, as commands call them that have other detectors too. */
export interface PageDetectorFlags {
  pageModel?: PageModel;
  pageSmoothing: Smoothing;
  pagePenalty: number;
  pageThreshold?: number;
}

/** With a prefix and a group of their own, for commands that have other detectors too. */
export function addPageOptions(command: Command, { prefix = '', group = '' } = {}): Command {
  const about = prefix === '' ? '' : 'page: ';
  const add = (option: Option) => command.addOption(group === '' ? option : option.helpGroup(group));
  add(
    new Option(
      `--${prefix}smoothing <kind>`,
      `${about}isotonic over the tree, merging leaves, or none: each node for itself`,
    )
      .choices(SMOOTHINGS)
      .default('isotonic'),
  );
  add(
    new Option(
      `--${prefix}penalty <factor>`,
      `${about}factor of the penalty of smoothing: more gives fewer and larger sections`,
    )
      .argParser(numberBetween(0, 1e6))
      .default(1),
  );
  add(
    new Option(
      `--${prefix}threshold <score>`,
      `${about}score from which a node is template; the model's own when not given`,
    ).argParser(numberBetween(0, 1)),
  );
  return command;
}

/** `--page-model`, `--page-smoothing` and so on. */
export function addPageDetectorOptions(command: Command, group: string): Command {
  command.addOption(
    new Option('--page-model <file>', "page: a model of chaff train instead of the package's own")
      .argParser(readPageModel)
      .helpGroup(group),
  );
  return addPageOptions(command, { prefix: 'page-', group });
}

export function pageOptionsOf({ smoothing, penalty, threshold }: PageFlags): PageOptions {
  return { smoothing, penalty, ...(threshold === undefined ? {} : { threshold }) };
}

export function pageDetectorOptionsOf(flags: PageDetectorFlags): PageDetectorOptions {
  const { pageModel, pageSmoothing, pagePenalty, pageThreshold } = flags;
  const options = { smoothing: pageSmoothing, penalty: pagePenalty, threshold: pageThreshold };
  return { ...pageOptionsOf(options), ...(pageModel === undefined ? {} : { model: pageModel }) };
}

/** The model of a file that `chaff train` has written. */
export function readPageModel(path: string): PageModel {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${(error as Error).message}.`);
  }
  try {
    return decodePageModel(text);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}
