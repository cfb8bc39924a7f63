/** The scripts are tried in the real shells. A shell that is not installed is skipped by name. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-completion-'));
writeFileSync(join(folder, 'crawl one.warc.gz'), '');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A line up to the key press, and what it must complete to. */
const CASES = [
  ['chaff gro', 'groups'],
  ['chaff strip --shard', '--shard-size'],
  ['chaff strip --format mark', 'markdown'],
  ['chaff completion fi', 'fish'],
] as const;

/** Prints what a line completes to. */
const ASK: Record<string, (script: string, line: string) => string> = {
  bash: (script, line) => `source '${script}'
    COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _chaff chaff "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
    echo "\${COMPREPLY[@]}"`,
  fish: (script, line) => `source '${script}'; complete -C '${line}' | string split -f1 \\t`,
  // zsh completes only in an editor: it gets one on a terminal of its own
  zsh: (script, line) => `zmodload zsh/zpty; zpty z zsh -f -i
    zpty -w z $'autoload -U compinit; compinit -u -D; source ${script}; print re\\'\\'ady'
    zpty -r z out $'*ready*'
    zpty -n -w z $'${line}\\t'
    zpty -r z out '*${line.split(' ').at(-1)}*' && repeat 20; do sleep 0.1; while zpty -r -t z more; do out+=$more; done; done
    print -r -- $out; zpty -d z`,
};

for (const shell of Object.keys(ASK)) {
  const isThere = spawnSync(shell, ['-c', 'exit 0']).status === 0;
  const name = `${shell} completes commands, options and values${isThere ? '' : ` (skipped: no ${shell} here)`}`;
  test.skipIf(!isThere)(name, async () => {
    const { code, stdout } = await chaff(['completion', shell]);
    expect(code).toBe(0);
    const script = join(folder, `chaff.${shell}`);
    writeFileSync(script, stdout);
    for (const [line, expected] of CASES) {
      const asked = spawnSync(shell, ['-c', ASK[shell](script, line)], { encoding: 'utf8', timeout: 30_000 });
      expect(asked.stderr, line).toBe('');
      if (shell === 'zsh') expect(asked.stdout, line).toContain(expected);
      else expect(asked.stdout.trim(), line).toBe(expected);
    }
  });
}

test('bash completes names of files, with blanks too', async () => {
  const script = join(folder, 'files.bash');
  writeFileSync(script, (await chaff(['completion', 'bash'])).stdout);
  for (const line of ['chaff strip cra', 'chaff strip -o cra']) {
    const { stdout } = spawnSync('bash', ['-c', ASK.bash(script, line)], { encoding: 'utf8', cwd: folder });
    expect(stdout.trim()).toBe('crawl one.warc.gz');
  }
});

test('another shell is refused with the names of those that are known', async () => {
  const { code, stderr } = await chaff(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
});
