import { pick } from '../mutate.ts';
import type { Random } from '../target.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const ODD_VALUES: Json[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e9,
  1e308,
  2 ** 53,
  '',
  'x',
  '__proto__',
  [],
  {},
  [null],
  ['x'],
  [1e9],
  { a: 1 },
];

/** Returns JSON text in which one or two values at any depth are removed, doubled or replaced. */
export function damageJson(random: Random, text: string): string {
  const root = JSON.parse(text) as Json;
  for (let rest = 1 + random(2); rest > 0; rest--) damageOne(random, root);
  return JSON.stringify(root);
}

function damageOne(random: Random, root: Json): void {
  let holder = root as Json[] | Record<string, Json>;
  for (let keys = Object.keys(holder); keys.length > 0; keys = Object.keys(holder)) {
    const key = pick(random, keys);
    const value: Json = (holder as Record<string, Json>)[key];
    if (typeof value !== 'object' || value === null || random(4) === 0) {
      if (random(4)) (holder as Record<string, Json>)[key] = structuredClone(pick(random, ODD_VALUES));
      else if (Array.isArray(holder))
        holder.splice(Number(key), random(3), ...structuredClone(holder.slice(0, random(3))));
      else delete holder[key];
      return;
    }
    holder = value;
  }
}
