/**
 * `--preset`: one word that sets every option as a paper has it. A preset is a set of option values of a command;
 * options that the user names on the command line win over it.
 */
import { type Command, Option } from 'commander';
import { chakrabarti2007, gibson2005, lesniak2017, maGu2005 } from './papers.ts';

/** By the names of papers.ts. */
type PresetFlags = Readonly<Record<string, unknown>>;

export const PRESETS = {
  'gibson-2005': gibson2005,
  'lesniak-2017': lesniak2017,
  'chakrabarti-2007': chakrabarti2007,
  'ma-gu-2005': maGu2005,
} as const satisfies Record<string, PresetFlags>;

export type PresetName = keyof typeof PRESETS;

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

/** Sets the values of the chosen preset where the user has not named the option. Options of other commands are passed over. */
function applyPreset(command: Command): void {
  const { preset } = command.opts<PresetFlag>();
  if (preset === undefined) return;
  const known = new Set(command.options.map((option) => option.attributeName()));
  const values: PresetFlags = PRESETS[preset];
  for (const key of Object.keys(values)) {
    const [name, only = command.name()] = key.split('.').reverse();
    if (only !== command.name() || !known.has(name)) continue;
    if (command.getOptionValueSource(name) === 'cli') continue;
    // read here only: a value may be a getter that opens a model
    command.setOptionValueWithSource(name, values[key], 'preset');
  }
}
