/** Every real server has the same one, so that each can check the passwords that others have given. */
const SECRET = 0xb341_5c00n;
const PASSWORD_BYTES = 16;

/** java.util.Random. */
const MULTIPLIER = 0x5_deec_e66dn;
const INCREMENT = 0xbn;
const STATE_BITS = 48;
const UNUSED_BITS = 16n;

/** The password of a session follows from its id. */
export function passwordOf(sessionId: bigint): Buffer {
  let state = BigInt.asUintN(STATE_BITS, sessionId ^ SECRET ^ MULTIPLIER);
  const password = Buffer.alloc(PASSWORD_BYTES);
  for (let at = 0; at < PASSWORD_BYTES; at += 4) {
    state = BigInt.asUintN(STATE_BITS, state * MULTIPLIER + INCREMENT);
    password.writeUInt32LE(Number(state >> UNUSED_BITS), at);
  }
  return password;
}
