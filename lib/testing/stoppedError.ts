/** For who wants something of a cluster that is over. */
export function stoppedError(): Error {
  return new Error('the cluster has been stopped');
}
