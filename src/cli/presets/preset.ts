/**
 * `--preset` sets every option to a paper's value. A preset is a set of option values for a command; options that the
 * user names take precedence.
 */
import { type Command, Option } from 'commander';
import { chakrabarti2007, gibson2005, lesniak2017, maGu2005 } from './papers.ts';

/** Option values by the names of papers.ts. */
type PresetFlags = Readonly<Record<string, unknown>>;

/** The presets by name. */
const PRESETS = {
  'gibson-2005': gibson2005,
  'lesniak-2017': lesniak2017,
  'chakrabarti-2007': chakrabarti2007,
  'ma-gu-2005': maGu2005,
} as const satisfies Record<string, PresetFlags>;

/** The name of a preset. */
export type PresetName = keyof typeof PRESETS;

/** Flag of `addPresetOption`. */
export interface PresetFlag {
  preset?: PresetName;
}

/** Adds `--preset` to a command, for the papers whose methods it runs. */
export function addPresetOption(command: Command, names: readonly PresetName[]): Command {
  return command
    .addOption(
      new Option('--preset <paper>', 'every option as in the paper; options that you name win').choices(
        names,
      ),
    )
    .hook('preAction', (_, acting) => applyPreset(acting));
}

/**
 * Sets the values of the chosen preset for options that the user has not named. Options of other commands are ignored.
 */
function applyPreset(command: Command): void {
  const { preset } = command.opts<PresetFlag>();
  if (preset === undefined) return;
  const known = new Set(command.options.map((option) => option.attributeName()));
  const values: PresetFlags = PRESETS[preset];
  for (const key of Object.keys(values)) {
    const [name, only = command.name()] = key.split('.').reverse();
    if (only !== command.name() || !known.has(name)) continue;
    if (command.getOptionValueSource(name) === 'cli') continue;
    // read the value only here: it may be a getter that opens a model
    command.setOptionValueWithSource(name, values[key], 'preset');
  }
}
