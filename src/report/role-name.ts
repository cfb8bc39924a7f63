/** Everyday names of the roles of templates, for the report and the explorer. */
const ROLE_NAMES: Readonly<Record<string, string>> = {
  head: 'page head',
  navigation: 'menu',
  toc: 'contents',
  block: 'repeated text',
  markup: 'markup without text',
  '': 'repeated text',
};

/** Returns the name of a role for readers, such as `menu` or `page head`. */
export function roleName(role: string): string {
  return ROLE_NAMES[role] ?? role;
}
