/** Options as in Gibson, Punera and Tomkins 2005: templates by DOM hashes and by text windows. */

export const gibson2005 = {} as const;
