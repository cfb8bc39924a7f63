/** The version that every output names; a test keeps it equal to package.json's. */
export const version = '0.1.0';
