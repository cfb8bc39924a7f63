/**
 * What changed from the captures before it to each site snapshot, summed over its compared captures. Comparisons with an
 * earlier snapshot count: a URL that was captured twice within one says little about what happened before it.
 */

/** SQL: a row for each site and snapshot of `compared`, a table or a query in brackets with the columns of the compared captures. */
export function snapshotSums(compared: string): string {
  return `
    SELECT site, snapshot, left(coalesce(max(previous_time) FILTER (crosses), min(previous_time)), 10) AS since,
      left(min(time), 10) AS first, left(max(time), 10) AS last, count(DISTINCT url_key)::INTEGER AS urls,
      ${sumAcross('template_words')}, ${sumAcross('new_template_words')}, ${sumAcross('lost_words')},
      ${sumAcross('layout_components')}, ${sumAcross('1', 'comparisons')}
    FROM (SELECT *, previous_time < min(time) OVER (PARTITION BY site, snapshot) AS crosses FROM ${compared})
    GROUP BY site, snapshot`;
}

/** A sum over comparisons with an earlier snapshot; over all where there are no such. */
function sumAcross(value: string, name = value): string {
  return `coalesce(sum(${value}) FILTER (crosses), sum(${value}))::BIGINT AS ${name}`;
}
