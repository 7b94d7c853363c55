/** Thrown where a compressed set comes to more than it may. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
