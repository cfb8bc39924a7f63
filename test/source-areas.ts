/** The files of the project in areas, for checks that hold area by area. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Folders in which each folder is an area of its own; `src/detect/joint` is one beside the rest of `src/detect`. */
const SPLIT = ['src', 'docs'];
const OWN_AREAS = ['src/detect/joint'];

const FOLDERS = [...SPLIT, 'adapters', 'bench', 'cluster', 'examples', 'fuzz', 'models', 'scripts', 'test'];
const NOT_OURS = /(^|\/)(node_modules|\.venv|dist|page|fixtures|found)\/|\.d\.ts$/;

/** Paths of files below the root, by area: `src/read`, `docs/guides`, `bench`, or `.` for files of the root. */
export function filesByArea(endings: RegExp): Map<string, string[]> {
  const files = [
    ...readdirSync(root).filter((name) => endings.test(name)),
    ...FOLDERS.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    ),
  ].filter((path) => endings.test(path) && !NOT_OURS.test(path));
  const areas = new Map<string, string[]>();
  for (const path of files.sort()) {
    const area = areaOf(path);
    areas.set(area, [...(areas.get(area) ?? []), path]);
  }
  return areas;
}

function areaOf(path: string): string {
  const own = OWN_AREAS.find((area) => path.startsWith(`${area}/`));
  if (own !== undefined) return own;
  const parts = path.split('/');
  if (parts.length === 1) return '.';
  return SPLIT.includes(parts[0]) && parts.length > 2 ? `${parts[0]}/${parts[1]}` : parts[0];
}
