/** Options as in Leśniak 2017: the cross of similar pages and captures. */

export const lesniak2017 = {} as const;
