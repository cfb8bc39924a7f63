/** Options as in Ma and Gu 2005: maximal shared fragments. */

export const maGu2005 = {} as const;
