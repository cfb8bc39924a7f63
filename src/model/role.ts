/** The roles that a text can have on its page, as content or as template. The joint detector finds them. */
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
/** One of ROLES. */
export type Role = (typeof ROLES)[number];

/** The names that can be chosen: a role, or `text` for text without a role. */
export const CHOOSABLE_ROLES = ['text', ...ROLES] as const;
/** One of CHOOSABLE_ROLES. */
export type ChoosableRole = (typeof CHOOSABLE_ROLES)[number];

/** The roles that the output text contains, as changes to the default. */
export interface RoleChoice {
  /** Roles to keep on every page, besides the default ones. */
  with?: readonly ChoosableRole[];
  /** Roles to leave out. */
  without?: readonly ChoosableRole[];
  /** The only roles to keep. */
  only?: readonly ChoosableRole[];
}

/**
 * Reads a list of roles such as `title,captions`, in singular or plural. Throws a RangeError for an unknown
 * name.
 */
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
  throw new RangeError(`"${text}" is not a role.${hint} Roles are ${CHOOSABLE_ROLES.join(', ')}.`);
}

/** Number of letters to insert, delete or replace to turn one word into the other (Levenshtein distance). */
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

/** Throws a RangeError if a choice names an unknown role or contradicts itself. */
export function checkRoleChoice(choice: RoleChoice): void {
  for (const [option, roles] of Object.entries(choice)) {
    if (roles === undefined) continue;
    if (!Array.isArray(roles) || roles.some((role) => typeof role !== 'string')) {
      throw new RangeError(`${option} must be a list of roles, not ${JSON.stringify(roles)}`);
    }
    for (const role of roles) parseRoles(role);
  }
  const { with: also = [], without = [], only } = choice;
  const both = also.find((role) => without.includes(role));
  if (both)
    throw new RangeError(`${both} cannot be kept and left out: it is both in "with" and in "without"`);
  if (only && (also.length > 0 || without.length > 0)) {
    throw new RangeError(
      '"only" names everything that is kept: it cannot be combined with "with" or "without"',
    );
  }
}
