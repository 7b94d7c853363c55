/**
 * A function of a list of threads that is called once for each list: most topics of a group have the same one, which may be long.
 */
export function oncePerList<T>(make: (threads: readonly string[]) => T): (threads: readonly string[]) => T {
  const made = new Map<readonly string[], T>();
  return (threads) => {
    const known = made.get(threads);
    if (known !== undefined) return known;
    const result = make(threads);
    made.set(threads, result);
    return result;
  };
}
