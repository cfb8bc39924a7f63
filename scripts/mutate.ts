/**
 * Changes the sources in seeded places, one at a time, and runs the tests nearest to each change: a change that no test
 * notices survives. Prints a line for each place and a table. Files are changed in place and restored.
 *
 *   npm run mutate -- [--places 100] [--after 0] [--seed 1] [--seconds 60] [--in src/read] [--at src/read/warc.ts:40]
 *
 * `--in` takes all places from a file or folder, `--at` tries every change of one line, `--after` goes on after the first places. Tests
 * that use more than `--seconds` of CPU time have noticed the change.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { createVitest, type Vitest } from 'vitest/node';
import { seededRandom } from '../test/seeded-random.ts';

interface Mutant {
  file: string;
  /** From 1. */
  line: number;
  start: number;
  end: number;
  before: string;
  after: string;
}

/** Other code: compiled by asc, shown in a browser, bundled, or only names. */
const NOT_MUTATED = ['**/*.test.ts', 'src/kernel/assembly/**', 'src/explore/{page,ui}/**', 'src/cli/bin.ts'];
/** A list of more numbers than this is data, whose changes say little of the code. */
const LIST_OF_DATA = 6;
/** Test files run for a change, nearest first: the next ones only when those before do not notice it. */
const ROUNDS = [1, 3, 6];

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '|=': '&=',
  '&=': '|=',
};

/** All changes of a file. */
function mutantsOf(file: string): Mutant[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, after: string) => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    mutants.push({ file, line, start, end, before: source.text.slice(start, end), after });
  };
  const replace = (node: ts.Node, after: string) => add(node.getStart(), node.getEnd(), after);
  const negate = (node: ts.Expression) => replace(node, `!(${node.getText()})`);

  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = OPERATORS[node.operatorToken.getText()];
      if (operator !== undefined) replace(node.operatorToken, operator);
    } else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
      negate(node.expression);
    } else if (ts.isConditionalExpression(node)) {
      negate(node.condition);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      replace(node, node.operand.getText());
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) {
      replace(node, 'false');
    } else if (node.kind === ts.SyntaxKind.FalseKeyword) {
      replace(node, 'true');
    } else if (ts.isNumericLiteral(node)) {
      const list = node.parent;
      const isData = ts.isArrayLiteralExpression(list) && list.elements.length > LIST_OF_DATA;
      if (!isData) replace(node, `(${node.getText()} + 1)`);
    } else if (ts.isReturnStatement(node) && node.expression) {
      replace(node.expression, 'undefined');
    } else if (ts.isExpressionStatement(node) && !node.getText().startsWith('super(')) {
      replace(node, ';');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

/** By file, the files that it imports. */
function readImports(files: readonly string[]): Map<string, string[]> {
  const line = /(?:from|import\()\s*'(\.[^']+)'/g;
  const importsOf = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(line)].map(([, path]) => resolve(dirname(file), path));
  return new Map(files.map((file) => [resolve(file), importsOf(file)]));
}

/** The test files that reach a source by imports: those named like it first, then those beside it, then the nearest. */
function testsOf(file: string, imports: ReadonlyMap<string, string[]>): string[] {
  const importers = new Map<string, string[]>();
  for (const [from, targets] of imports) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), from]);
  }
  const steps = new Map([[resolve(file), 0]]);
  for (const [reached, count] of steps) {
    for (const importer of importers.get(reached) ?? []) {
      if (!steps.has(importer)) steps.set(importer, count + 1);
    }
  }
  const words = (path: string) => basename(path).replace(/\..*/, '').split('-');
  const own = words(file);
  const ranked = [...steps]
    .filter(([path]) => path.endsWith('.test.ts') && !/\/(browse|end-to-end)\//.test(path))
    .map(([path, count]) => {
      const shared =
        words(path).filter((word) => own.includes(word)).length / Math.max(own.length, words(path).length);
      const isBeside = dirname(path) === dirname(resolve(file));
      // these start processes and threads, and take ten times as long
      const isSlow = /\/(?:src\/(?:cli|explore|run)|test)\//.test(path) && !isBeside;
      return { path, order: count - 4 * shared - (isBeside ? 2 : 0) + (isSlow ? 3 : 0) };
    });
  return ranked.sort((a, b) => a.order - b.order || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
}

/** The first test that fails, or '' when all pass. */
async function firstFailure(vitest: Vitest, tests: readonly string[], seconds: number): Promise<string> {
  const specifications = vitest.projects.flatMap((project) =>
    tests.filter((file) => project.matchesTestGlob(file)).map((file) => project.createSpecification(file)),
  );
  if (specifications.length === 0) return '';
  // failures of earlier runs count for `bail`
  vitest.state.idMap.clear();
  vitest.state.filesMap.clear();
  // a loop that never ends is ended with its process
  let isLate = false;
  const watch = setInterval(() => {
    for (const child of childrenOver(seconds)) {
      isLate = true;
      process.kill(child, 'SIGKILL');
    }
  }, 5000);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  clearInterval(watch);
  if (isLate) return `more than ${seconds} s`;
  for (const testModule of testModules) {
    for (const test of testModule.children.allTests('failed'))
      return `${testModule.relativeModuleId}: ${test.fullName}`;
  }
  const broken = testModules.find((testModule) => testModule.state() === 'failed');
  return broken?.relativeModuleId ?? (unhandledErrors.length > 0 ? String(unhandledErrors[0]) : '');
}

/** The processes of this one that have used more CPU time than `seconds`. */
function childrenOver(seconds: number): number[] {
  const listed = spawnSync('ps', ['-o', 'pid=,times=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  const rows = listed.stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  return rows.filter(([, used]) => used > seconds).map(([pid]) => pid);
}

const { values } = parseArgs({
  options: {
    places: { type: 'string', default: '100' },
    after: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    in: { type: 'string', default: 'src' },
    at: { type: 'string' },
  },
});
const [atFile, atLine] = values.at?.split(':') ?? [];
const inside = atFile ?? values.in;
const sources = globSync(inside.endsWith('.ts') ? [inside] : [join(inside, '**/*.ts')], {
  ignore: NOT_MUTATED,
}).sort();
const imports = readImports(globSync(['{src,test,fuzz,scripts}/**/*.ts']));
const random = seededRandom(Number(values.seed));
const mutants = sources
  .flatMap(mutantsOf)
  .filter(({ line }) => atLine === undefined || line === Number(atLine))
  .map((mutant) => ({ mutant, order: values.at ? 0 : random() }))
  .sort((a, b) => a.order - b.order)
  .slice(Number(values.after), Number(values.places))
  .map(({ mutant }) => mutant);

let restore: (() => void) | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    restore?.();
    process.exit(1);
  });
}
const survivors: string[] = [];
const noticing = new Set<string>();
const timeouts = { testTimeout: 240_000, hookTimeout: 240_000 };
const vitest = await createVitest('test', { watch: false, bail: 1, reporters: [{}], ...timeouts });
for (const [at, { file, line, start, end, before, after }] of mutants.entries()) {
  const text = readFileSync(file, 'utf8');
  const write = (changed: string) => {
    writeFileSync(file, changed);
    vitest.invalidateFile(resolve(file));
  };
  restore = () => write(text);
  write(text.slice(0, start) + after + text.slice(end));
  const tests = testsOf(file, imports);
  let failure = '';
  try {
    for (const count of ROUNDS)
      failure ||= await firstFailure(vitest, tests.splice(0, count), Number(values.seconds));
  } finally {
    restore();
  }
  const oneLine = (code: string) => code.replace(/\s+/g, ' ').slice(0, 80);
  const change = `${file}:${line} \`${oneLine(before)}\` → \`${oneLine(after)}\``;
  if (failure === '') survivors.push(change);
  else noticing.add(failure.split(': ')[0]);
  console.log(
    `${Number(values.after) + at + 1} ${failure === '' ? 'SURVIVED' : 'noticed'} ${change}${failure && `: ${failure}`}`,
  );
}
console.log(`\n${mutants.length} places, seed ${values.seed}: ${survivors.length} survived`);
for (const survivor of survivors) console.log(`  ${survivor}`);
// a test that fails without a change has noticed nothing
const tests = [...imports.keys()].filter((file) => noticing.has(relative('.', file)));
const red = await firstFailure(vitest, tests, tests.length * Number(values.seconds));
if (red !== '') console.log(`fails without a change, so some of this is wrong: ${red}`);
await vitest.close();
