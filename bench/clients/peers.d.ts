/** What the bench uses of its peers, so that it can be checked where they are not installed. */
declare module 'kafkajs' {
  type Codec = unknown;
  const CompressionTypes: { readonly Snappy: number };
  const CompressionCodecs: Record<number, Codec>;
  const logLevel: { readonly ERROR: number };
  interface Consumer {
    connect(): Promise<void>;
    subscribe(what: { topics: string[]; fromBeginning: boolean }): Promise<void>;
    run(how: { eachBatch: (payload: EachBatchPayload) => Promise<void> }): Promise<void>;
  }
  interface EachBatchPayload {
    readonly batch: { readonly messages: readonly { readonly value: Buffer | null }[] };
  }
  class Kafka {
    constructor(options: { brokers: string[]; logLevel: number });
    consumer(options: { groupId: string }): Consumer;
  }
}

declare module 'kafkajs-snappy' {
  const codec: unknown;
  export default codec;
}
