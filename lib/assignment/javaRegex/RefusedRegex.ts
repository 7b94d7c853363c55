/** A regex that Java refuses, or that cannot be evaluated here exactly as in Java; the message says which part, and why. */
export class RefusedRegex extends Error {}
