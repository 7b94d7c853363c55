/** What the bench uses of a package that is not installed at the root. */
declare module 'kafkajs-snappy' {
  const codec: unknown;
  export default codec;
}
