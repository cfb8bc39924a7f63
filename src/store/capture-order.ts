/**
 * SQL that finds the earliest or the latest capture of a group. Time and number of a capture make one number, which costs
 * a grouping no more than a sum does; what is a list or a text there is held in memory.
 */

/** Seconds that no time of a database lies further from 1970: with them added none is negative, which cannot be shifted. */
const ALL_SECONDS = 2 ** 44;
const SECONDS = `coalesce(epoch(try_cast(time AS TIMESTAMP)) + ${ALL_SECONDS}, 0)::HUGEINT`;

/** The page with the earliest time, of several the first; one without a time comes before all others. */
export const EARLIEST_PAGE = `(min((${SECONDS} << 32) | page) & 4294967295)::UINTEGER`;

/** The id with the latest time, of several the last; one without a time comes before all others. */
export const LATEST_ID = `(max((${SECONDS} << 64) | id) & 9223372036854775807)::BIGINT`;
