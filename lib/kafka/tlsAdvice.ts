import { errorCode, errorText } from './errorText';

/** OpenSSL's names for a chain that cannot be verified, as Node gives them. */
const UNTRUSTED = new Set([
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_UNTRUSTED', 'CERT_REJECTED'],
  ...['CERT_SIGNATURE_FAILURE', 'CERT_CHAIN_TOO_LONG', 'CERT_REVOKED', 'INVALID_CA', 'INVALID_PURPOSE'],
  ...['PATH_LENGTH_EXCEEDED', 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'UNABLE_TO_DECRYPT_CERT_SIGNATURE'],
]);

const OUT_OF_TIME = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** The first bytes that came are no TLS. */
const NOT_TLS = new Set([
  ...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST'],
  ...['ERR_SSL_RECORD_LAYER_FAILURE', 'ERR_SSL_UNKNOWN_PROTOCOL', 'ERR_SSL_BAD_RECORD_TYPE'],
]);

/**
 * What an error of a TLS connection means, and which setting to look at; for errors that stay until something is changed.
 * Undefined for all others.
 */
export function tlsAdvice(error: unknown): string | undefined {
  const code = opensslCode(error);
  if (UNTRUSTED.has(code))
    return "the broker's certificate is not trusted; look at ssl.truststore.location and ssl.truststore.certificates";
  if (OUT_OF_TIME.has(code)) {
    return (
      "a certificate of the broker's chain is out of date, or this machine's clock is wrong; renew it at the broker, or in " +
      'ssl.truststore.location and ssl.truststore.certificates'
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return (
      "the broker's certificate is for another host; look at advertised.listeners of the broker, or set " +
      'ssl.endpoint.identification.algorithm to an empty text'
    );
  }
  if (NOT_TLS.has(code)) return 'what answers there is not TLS; look at security.protocol';
  if (/ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE/.test(code))
    return 'there is no common version of TLS; look at ssl.enabled.protocols';
  if (/NO_(SHARED_)?CIPHER|NO_CIPHERS/.test(code))
    return 'there is no common cipher; look at ssl.cipher.suites';
  if (/ALERT_HANDSHAKE_FAILURE/.test(code)) {
    return 'the broker breaks the handshake off: it wants a client certificate (ssl.keystore.location), or another cipher (ssl.cipher.suites)';
  }
  // Kafka 0.9 and 0.10 repeat their last message of the handshake where an alert is due, if there is no client certificate.
  if (/ALERT_.*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code) || code === 'ERR_SSL_UNEXPECTED_MESSAGE')
    return 'the broker refuses the certificate of this client, or its absence; look at ssl.keystore.location';
  return undefined;
}

/** `ERR_SSL_` and OpenSSL's reason; a write that was under way when an alert came has only `EPROTO` for a code. */
function opensslCode(error: unknown): string {
  const code = errorCode(error);
  if (code === 'EPROTO') return `ERR_SSL_${errorText(error).toUpperCase().replaceAll(' ', '_')}`;
  return typeof code === 'string' ? code : '';
}
