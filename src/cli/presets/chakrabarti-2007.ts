/** Options as in Chakrabarti, Kumar and Punera 2007: page-level detection with isotonic smoothing. */

export const chakrabarti2007 = {} as const;
