/** The version of Chaff, written into every output. A test compares it with package.json. */
export const version = '0.1.0';
