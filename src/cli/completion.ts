/**
 * `chaff completion`: prints a script that completes commands, options and their values in a shell. It is made from the
 * declarations of the commands and does not call Chaff when a key is pressed.
 */
import { Argument, Command, type Option } from 'commander';
import { readCommands } from './commands.ts';
import type { Context } from './context.ts';
import { write } from './streams.ts';

const SCRIPTS: Record<string, (commands: CommandWords[]) => string[]> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Declares the command `completion`. */
export function completionCommand({ streams }: Context): Command {
  return new Command('completion')
    .summary('completion of commands and options for your shell')
    .description(
      'Prints a script for the shell that you name. Load it at the start of the shell:\n\n' +
        '  bash   echo \'eval "$(chaff completion bash)"\' >> ~/.bashrc\n' +
        '  zsh    echo \'eval "$(chaff completion zsh)"\' >> ~/.zshrc   (after compinit)\n' +
        '  fish   chaff completion fish > ~/.config/fish/completions/chaff.fish',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
Examples:
  chaff completion bash > chaff.bash
  chaff completion zsh > _chaff
  chaff completion fish > chaff.fish`,
    )
    .action(async (shell: string) => {
      const commands = (await readCommands()).map(wordsOf);
      await write(streams.stdout, `${SCRIPTS[shell](commands).join('\n')}\n`);
    });
}

interface OptionWords {
  short?: string;
  long: string;
  meaning: string;
  /** The value of the option: one of some words, a file name, any text, or none. */
  value: readonly string[] | 'file' | 'any' | 'none';
}

interface CommandWords {
  name: string;
  meaning: string;
  options: OptionWords[];
}

function wordsOf(command: Command): CommandWords {
  const options = command.createHelp().visibleOptions(command);
  return { name: command.name(), meaning: command.summary(), options: options.map(optionWords) };
}

function optionWords({
  short,
  long,
  description,
  argChoices,
  flags,
  required,
  optional,
}: Option): OptionWords {
  const takesFile = /[<[](file|folder|path)(\.\.\.)?[>\]]/.test(flags);
  const isHelp = long === '--help';
  const value = isHelp
    ? ['all']
    : (argChoices ?? (takesFile ? 'file' : required || optional ? 'any' : 'none'));
  const [meaning] = description.split(/[;:(]/);
  return { ...(short && { short }), long: long!, meaning: meaning.trim(), value };
}

/** Quotes a word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function bashScript(commands: CommandWords[]): string[] {
  const names = commands.map(({ name }) => name).join(' ');
  const values: string[] = [];
  const options: string[] = [];
  for (const command of commands) {
    const longs = command.options.map(({ long }) => long).join(' ');
    options.push(`    ${command.name}) words=${quoted(longs)} ;;`);
    for (const { short, long, value } of command.options) {
      if (value === 'none' || value === 'file') continue;
      const pattern = [long, short]
        .filter((flag) => flag !== undefined)
        .map((flag) => `${command.name}:${flag}`)
        .join('|');
      values.push(`    ${pattern}) ${value === 'any' ? 'return' : `words=${quoted(value.join(' '))}`} ;;`);
    }
  }
  return [
    '# completion of chaff for bash',
    '_chaff() {',
    '  local word=$2 before=$3 words',
    '  COMPREPLY=()',
    '  if [[ $COMP_CWORD -eq 1 ]]; then',
    `    COMPREPLY=($(compgen -W ${quoted(names)} -- "$word"))`,
    '    return',
    '  fi',
    `  case "\${COMP_WORDS[1]}:$before" in`,
    ...values,
    '  esac',
    `  if [[ -z $words && $word == -* ]]; then case "\${COMP_WORDS[1]}" in`,
    ...options,
    '  esac; fi',
    `  if [[ \${COMP_WORDS[1]} == completion && $word != -* ]]; then words=${quoted(Object.keys(SCRIPTS).join(' '))}; fi`,
    '  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '  else compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word"); fi',
    '}',
    'complete -F _chaff chaff ./chaff',
  ];
}

function zshScript(commands: CommandWords[]): string[] {
  const described = (text: string) => text.replace(/[\\[\]:]/g, '\\$&');
  const option = ({ short, long, meaning, value }: OptionWords): string => {
    const after =
      value === 'none'
        ? ''
        : value === 'file'
          ? ':file:_files'
          : `:value:${value === 'any' ? ' ' : `(${value.join(' ')})`}`;
    const flags = short === undefined ? [long] : [short, long];
    return flags.map((flag) => quoted(`*${flag}[${described(meaning)}]${after}`)).join(' ');
  };
  return [
    '#compdef chaff',
    '_chaff() {',
    '  local -a commands',
    '  if (( CURRENT == 2 )); then',
    '    commands=(',
    ...commands.map(({ name, meaning }) => `      ${quoted(`${name}:${described(meaning)}`)}`),
    '    )',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  local command=$words[2]',
    '  shift words; (( CURRENT-- ))',
    '  case $command in',
    ...commands.map(({ name, options }) => {
      const rest =
        name === 'completion' ? `'1:shell:(${Object.keys(SCRIPTS).join(' ')})'` : "'*:file:_files'";
      return `    ${name}) _arguments ${options.map(option).join(' ')} ${rest} ;;`;
    }),
    '  esac',
    '}',
    'if [[ $funcstack[1] == _chaff ]]; then _chaff "$@"; else compdef _chaff chaff ./chaff; fi',
  ];
}

function fishScript(commands: CommandWords[]): string[] {
  const lines = [
    '# completion of chaff for fish',
    'complete -c chaff -n __fish_use_subcommand -f',
    ...commands.map(
      ({ name, meaning }) =>
        `complete -c chaff -n __fish_use_subcommand -a ${name} -d ${fishQuoted(meaning)}`,
    ),
  ];
  for (const { name, options } of commands) {
    const when = `-n '__fish_seen_subcommand_from ${name}'`;
    for (const { short, long, meaning, value } of options) {
      const flag = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${long.slice(2)}`;
      const after =
        value === 'none'
          ? ''
          : value === 'file'
            ? ' -r -F'
            : value === 'any'
              ? ' -x'
              : ` -x -a ${fishQuoted(value.join(' '))}`;
      lines.push(`complete -c chaff ${when} ${flag}${after} -d ${fishQuoted(meaning)}`);
    }
  }
  lines.push(
    `complete -c chaff -n '__fish_seen_subcommand_from completion' -f -a ${fishQuoted(Object.keys(SCRIPTS).join(' '))}`,
  );
  return lines;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
