/** Returns Spearman's rank correlation of two orders: 1 when equal, 0 when unrelated; ties share a rank. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranksOf(a), ranksOf(b)];
  const middle = (a.length - 1) / 2;
  let both = 0;
  let ofX = 0;
  let ofY = 0;
  for (let i = 0; i < x.length; i++) {
    both += (x[i] - middle) * (y[i] - middle);
    ofX += (x[i] - middle) ** 2;
    ofY += (y[i] - middle) ** 2;
  }
  return both / Math.sqrt(ofX * ofY);
}

function ranksOf(values: readonly number[]): Float64Array {
  const order = values.map((_, i) => i).sort((i, k) => values[i] - values[k]);
  const ranks = new Float64Array(values.length);
  for (let first = 0; first < order.length; ) {
    let end = first;
    while (end < order.length && values[order[end]] === values[order[first]]) end++;
    for (let i = first; i < end; i++) ranks[order[i]] = (first + end - 1) / 2;
    first = end;
  }
  return ranks;
}
