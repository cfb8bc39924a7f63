import { DEFAULT_LIMITS } from '../src/model/limits.ts';
import { Columns } from '../src/parse/columns.ts';
import { Construction } from '../src/parse/construction.ts';
import { Scanner } from '../src/parse/scanner.ts';
import { TagTable } from '../src/parse/tag-names.ts';

/** The tree of a page by the rules in full, no tag of it built in WebAssembly. */
export function parseByRules(source: Uint8Array, maxDepth = DEFAULT_LIMITS.depth): Columns {
  const names = new TagTable();
  const columns = new Columns(DEFAULT_LIMITS.nodes);
  const build = new Construction(columns, names, { maxDepth, exact: true });
  new Scanner(build, { byRules: true }).scan(source);
  columns.foreignNames = names.foreignNames;
  return Columns.copyOf(columns);
}
