// After tsc: copies what it leaves behind (the report's browser script and styles) from src/ to dist/,
// makes the command executable and marks the build as finished.
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(css|js|html)$/.test(entry.name)) continue;
  const from = join(entry.parentPath, entry.name);
  const to = join(root, 'dist', relative(join(root, 'src'), from));
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
chmodSync(join(root, 'dist/cli/bin.js'), 0o755);
writeFileSync(join(root, 'dist/.built'), '');
