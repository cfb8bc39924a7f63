// After tsc, which checks and writes the types: bundles each entry point of src/ into one file of dist/, builds the page
// of the explorer, copies it with the report's browser scripts and styles, makes the command executable and marks the
// build as finished.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildUi } from './build-ui.mjs';
import { bundle, bundleDatabase, dist, source } from './bundle.mjs';
import { bundleCore } from './bundle-core.mjs';

/** The library, the command line, and what its threads run. */
const ENTRIES = [
  'index',
  'cli/bin',
  'cli/command-thread',
  'run/executors/worker',
  'run/pages/answer-worker',
  'explore/page-worker',
];

// modules of an earlier build
for (const path of filesOf(dist, /\.js$/)) rmSync(path);

const modules = await bundleDatabase();
for (const entry of ENTRIES) modules.push(...(await bundle(entry)));
modules.push(...(await bundleCore()), ...(await buildUi()));
writeCommonJs();
const packages = new Set();
for (const id of modules) {
  const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
  if (folder !== undefined) packages.add(folder);
}
writeFileSync(join(dist, 'bundled-licences.txt'), [...packages].sort().map(licenceOf).join('\n'));
for (const path of filesOf(source, /\.(css|js|html|wasm)$/)) {
  if (path.startsWith(join(source, 'explore/ui'))) continue; // the sources of explore/page
  const to = join(dist, relative(source, path));
  mkdirSync(dirname(to), { recursive: true });
  cpSync(path, to);
}
chmodSync(join(dist, 'cli/bin.js'), 0o755);
writeFileSync(join(dist, '.built'), '');

/**
 * Entry points for require. They load the same modules as import does, which Node 20.19 and later allow, so that a
 * program that does both has one kernel.
 */
function writeCommonJs() {
  for (const entry of ['index', 'core']) {
    writeFileSync(join(dist, `${entry}.cjs`), `module.exports = require('./${entry}.js');\n`);
    writeFileSync(join(dist, `${entry}.d.cts`), `export * from './${entry}.js';\n`);
  }
}

/** What a bundled package asks to be handed on with its code. */
function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined && license === 'MIT') return `${name} ${version}\n\n${mitLicence(author)}\n`;
  if (file === undefined) throw new Error(`${name} is bundled and comes without its licence`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

/** The licence of a package that names it without its text. */
function mitLicence(author) {
  const holder = typeof author === 'string' ? author : `${author.name} <${author.email}>`;
  return `The MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}

function filesOf(folder, names) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
