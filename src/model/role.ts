/** Roles of texts on a page: what part they play, whether they are content or not. The joint detector tells them. */

export const ROLES = [
  'title',
  'byline',
  'date',
  'caption',
  'code',
  'facts',
  'comments',
  'related',
  'navigation',
  'breadcrumb',
  'footer',
  'legal',
  'toc',
] as const;
export type Role = (typeof ROLES)[number];

/** What can be chosen: a role, or `text` that has none of them. */
export const CHOOSABLE_ROLES = ['text', ...ROLES] as const;
export type ChoosableRole = (typeof CHOOSABLE_ROLES)[number];

/** Which roles the text of a page has, beside those that it has by default. */
export interface RoleChoice {
  /** Keep these too, on every page. */
  with?: readonly ChoosableRole[];
  /** Leave these out. */
  without?: readonly ChoosableRole[];
  /** Keep nothing but these. */
  only?: readonly ChoosableRole[];
}

/** Roles of a list such as `title,captions`, singular or plural. Throws a RangeError for a name that is no role. */
export function parseRoles(list: string): ChoosableRole[] {
  const roles = list.split(',').map((part) => parseRole(part.trim()));
  return [...new Set(roles)];
}

function parseRole(text: string): ChoosableRole {
  const name = text.toLowerCase();
  const found = CHOOSABLE_ROLES.find((role) => [role, `${role}s`, role.replace(/s$/, '')].includes(name));
  if (found) return found;
  const [near] = CHOOSABLE_ROLES.map((role) => ({ role, distance: editDistance(name, role) })).sort(
    (a, b) => a.distance - b.distance,
  );
  const hint = near.distance <= 2 ? ` Did you mean ${near.role}?` : '';
  throw new RangeError(`"${text}" is no role.${hint} Roles are ${CHOOSABLE_ROLES.join(', ')}.`);
}

/** Letters to insert, delete or replace to make one word the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      next.push(Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

/** Throws a RangeError when a choice names something that is no role, or contradicts itself. */
export function checkRoleChoice(choice: RoleChoice): void {
  for (const [option, roles] of Object.entries(choice)) {
    if (roles === undefined) continue;
    if (!Array.isArray(roles))
      throw new RangeError(`${option} must be a list of roles, not ${String(roles)}`);
    for (const role of roles) parseRoles(role);
  }
  const { with: also = [], without = [], only } = choice;
  const both = also.find((role) => without.includes(role));
  if (both)
    throw new RangeError(`${both} cannot be kept and left out: it is both in "with" and in "without"`);
  if (only && (also.length > 0 || without.length > 0)) {
    throw new RangeError('"only" says all that is kept: it goes with neither "with" nor "without"');
  }
}
