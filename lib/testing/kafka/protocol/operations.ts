/** What stands for the operations that a client may do, in answers to a client that did not ask for them. */
export const UNKNOWN_OPERATIONS = -0x8000_0000;
