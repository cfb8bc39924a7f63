/**
 * The help of commands: everyday options by default, all options grouped by theme with `--help all`. This file decides
 * which options are everyday and their themes; names, meanings and defaults come from the declarations.
 */
import { type Command, Help, type Option } from 'commander';

/** Everyday options of every command that has them, in this order. */
const EVERYDAY_FIRST = ['--output', '--format', '--overwrite', '--include', '--exclude', '--limit'];
const EVERYDAY_LAST = ['--site', '--model', '--workers', '--quiet', '--help'];

/** Everyday options of single commands, shown after the first ones. */
const ALSO_EVERYDAY: Record<string, string[]> = {
  strip: ['--without', '--only'],
  report: ['--markdown'],
  page: ['--url'],
  train: ['--detector', '--gold', '--name'],
  fragments: ['--min-bytes', '--selectors', '--includes', '--dictionary'],
  groups: ['--threshold', '--members'],
  changes: ['--only'],
  history: ['--from-year', '--to-year', '--snapshot'],
  dedup: ['--match', '--across-sites', '--keep'],
  plan: ['--for', '--task-pages'],
  index: ['--no-sort'],
  eval: ['--gold', '--no-gold', '--detectors', '--outputs', '--sites', '--gate'],
};

/** A command with at most this number of options shows them all. */
const FEW_OPTIONS = 10;

/** Themes in the order of the help. An option has the first theme that matches its long name. */
const THEMES: readonly (readonly [heading: string, RegExp])[] = [
  [
    'Which pages:',
    /^--(include|exclude|statuses|limit|captures|wacz-pages|url|(from|to)-year|min-site-pages|draw-sites|half|pages|all-pages|min-sites)$/,
  ],
  [
    'Output:',
    /^--(for|output|format|shard-size|overwrite|ready|markdown|annotated|templates|mark|drop|explain|only|members|crosses|all|keep|top|keys|no-sort|json|name|about|date|periods|small-snapshots|categories|compare-settings)$/,
  ],
  ['Parts of a page:', /^--(without|with)$/],
  ['Sites and what they are learnt from:', /^--(site|snapshot|sample|seed|learn-from|model)$/],
  [
    'Comparing pages:',
    /^--(threshold|permutations|tokens|shingle|hashes|match|across-sites|relation|composites|min-shared|min-bytes)$/,
  ],
  ['Exports:', /^--(selectors?|includes?|dictionary)(-|$)/],
  [
    'Gold and contenders:',
    /^--(gold|no-gold|detectors|outputs|save|no-conventions|convention|against|pages-known|site-weight)$/,
  ],
  ['Tables and gate:', /^--(metadata|details|sites|classes|documents|gate|corpus|update|lower)$/],
  [
    'Training:',
    /^--(classifier|features|calibration|nodes|penalty-constant|labels|share|weights|site-rows|rows)$/,
  ],
  ['Method:', /^--(detector|preset|mode|links-by|fallback|min-(pages|left|left-share))$/],
  ['Method joint:', /^--joint-/],
  ['Method dom:', /^--dom-/],
  ['Method text:', /^--text-/],
  ['Method cross:', /^--cross-/],
  [
    'Method page:',
    /^--(no-)?(page-|smoothing|penalty|penalty-kind|levels|delta|levelling|threshold|unsure-band)/,
  ],
  ['Browser:', /^--(layout|layout-time|tabs)$/],
  ['Web:', /^--(rate|retries|min-fetch-rate|base|timeout|redirects|allow-redirects|pause)$/],
  ['Limits:', /^--max-/],
  ['Running:', /^--(archives|port|no-open|task-pages|workers|strict|quiet|verbose|timings|help|version)$/],
];

/** Headings of the themes, in the order of the help. */
export const THEME_HEADINGS = THEMES.map(([heading]) => heading);

/** Themes for options of `page` that have another meaning in other commands. */
const THEMES_OF_COMMANDS: Record<string, Record<string, string>> = {
  page: { '--threshold': 'Method page:' },
  train: { '--penalty-kind': 'Training:' },
  label: { '--only': 'Parts of a page:' },
  strip: { '--only': 'Parts of a page:' },
  report: { '--only': 'Parts of a page:' },
  annotate: { '--only': 'Parts of a page:' },
};

/** Heading of each command in the program's help. */
const GROUPS: Record<string, string> = {
  demo: 'Main text:',
  strip: 'Main text:',
  page: 'Main text:',
  report: 'Main text:',
  explore: 'Main text:',
  annotate: 'Main text:',
  history: 'Sites:',
  changes: 'Sites:',
  groups: 'Sites:',
  dedup: 'Sites:',
  fragments: 'Sites:',
  learn: 'Models:',
  label: 'Models:',
  train: 'Models:',
  eval: 'Models:',
  plan: 'Several machines:',
  task: 'Several machines:',
  status: 'Several machines:',
  merge: 'Several machines:',
};
const OTHER_COMMANDS = 'Tools:';

/** The heading of an option in the help; undefined when no theme matches. */
export function themeOf(command: Command, { long }: Option): string | undefined {
  const name = long ?? '';
  return THEMES_OF_COMMANDS[command.name()]?.[name] ?? THEMES.find(([, names]) => names.test(name))?.[0];
}

/** The options that `--help` shows; all of them if there are few. */
export function everydayOptions(command: Command, options: readonly Option[]): Option[] {
  if (options.length <= FEW_OPTIONS) return [...options];
  const names = [...EVERYDAY_FIRST, ...(ALSO_EVERYDAY[command.name()] ?? []), ...EVERYDAY_LAST];
  return names.flatMap((name) => options.filter(({ long }) => long === name));
}

/** Sets the help of a command. */
export function describeHelp(command: Command, { all }: { all: boolean }): Command {
  return command
    .helpGroup(GROUPS[command.name()] ?? OTHER_COMMANDS)
    .helpOption('-h, --help [all]', 'show the everyday options; all: every option')
    .configureHelp({
      optionDescription,
      // not by visibleOptions: "Did you mean" searches all options there
      formatHelp(shown, helper) {
        const options = helper.visibleOptions(shown);
        const chosen = all
          ? byTheme(shown, options)
          : new Map([['Options:', everydayOptions(shown, options)]]);
        const own = Object.assign(Object.create(helper) as Help, {
          visibleOptions: () => [...chosen.values()].flat(),
          groupItems: (...items: Parameters<Help['groupItems']>) =>
            items[0] === shown.options ? chosen : Help.prototype.groupItems.apply(helper, items),
        });
        const more = options.length - [...chosen.values()].flat().length;
        const hint = `${more} more options, by theme: chaff ${shown.name()} --help all\n`;
        return Help.prototype.formatHelp.call(own, shown, own) + (more > 0 ? hint : '');
      },
    });
}

function byTheme(command: Command, options: readonly Option[]): Map<string, Option[]> {
  const themes = [...THEMES.map(([heading]) => heading), 'Options:'];
  const groups = themes.map((theme): [string, Option[]] => [
    theme,
    options.filter((option) => (themeOf(command, option) ?? 'Options:') === theme),
  ]);
  return new Map(groups.filter(([, members]) => members.length > 0));
}

/** The meaning of an option, followed by its choices and default, if any. */
export function optionDescription({
  description,
  argChoices,
  defaultValue,
  defaultValueDescription,
}: Option): string {
  const facts: string[] = [];
  if (argChoices) facts.push(`choices: ${argChoices.join(', ')}`);
  const value = defaultValueDescription ?? defaultValue;
  const isShown =
    value !== undefined && typeof value !== 'boolean' && !(Array.isArray(value) && value.length === 0);
  if (isShown) facts.push(`default: ${Array.isArray(value) ? value.join(' ') : String(value)}`);
  return facts.length === 0 ? description : `${description} (${facts.join('; ')})`;
}
