import { errorText } from '../../../lib/kafka/errorText';
import { tlsAdvice } from '../../../lib/kafka/tlsAdvice';

const failed = (code: unknown): Error => Object.assign(new Error('it failed'), { code });

describe('tlsAdvice', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'ssl.truststore.location'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'ssl.truststore.location'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ssl.truststore.location'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ssl.truststore.location'],
    ['CERT_HAS_EXPIRED', 'clock'],
    ['CERT_NOT_YET_VALID', 'clock'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'ssl.endpoint.identification.algorithm'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'security.protocol'],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'security.protocol'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'ssl.enabled.protocols'],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'ssl.enabled.protocols'],
    ['ERR_SSL_NO_PROTOCOLS_AVAILABLE', 'ssl.enabled.protocols'],
    ['ERR_SSL_NO_SHARED_CIPHER', 'ssl.cipher.suites'],
    ['ERR_SSL_NO_CIPHERS_AVAILABLE', 'ssl.cipher.suites'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'ssl.keystore.location'],
    // What these are called since OpenSSL 3.2, in Node 22 and later.
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'ssl.keystore.location'],
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'ssl.keystore.location'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'ssl.keystore.location'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'ssl.keystore.location'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'ssl.keystore.location'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'ssl.keystore.location'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ssl.keystore.location'],
  ])('says for %s to look at %s', (code, setting) => {
    expect(tlsAdvice(failed(code))).toContain(setting);
  });

  it('finds the reason of an alert that came while something was being written', () => {
    const openssl =
      '80FC:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:x.c:1:';
    const error = Object.assign(new Error(`write EPROTO ${openssl}SSL alert number 116\n`), {
      code: 'EPROTO',
    });
    expect(tlsAdvice(error)).toContain('ssl.keystore.location');
    expect(tlsAdvice(failed('EPROTO'))).toBeUndefined();
  });

  it.each([
    ...[failed('ECONNRESET'), failed('ECONNREFUSED'), failed('ETIMEDOUT'), failed('ENOTFOUND')],
    ...[failed('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'), failed(7), new Error('CERT_HAS_EXPIRED')],
    ...['CERT_HAS_EXPIRED', null, undefined],
  ])('has none for what may pass by itself: %p', (error) => {
    expect(tlsAdvice(error)).toBeUndefined();
  });
});

describe('errorText', () => {
  it.each([
    [
      '80FC2C85267F0000:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:' +
        '../deps/openssl/openssl/ssl/record/rec_layer_s3.c:1601:SSL alert number 116\n',
      'tlsv13 alert certificate required',
    ],
    [
      'write EPROTO 80CCF33A697F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:' +
        '../deps/openssl/openssl/ssl/record/ssl3_record.c:350:\n',
      'wrong version number',
    ],
    ['error:1C800064:Provider routines::bad decrypt', 'error:1C800064:Provider routines::bad decrypt'],
    ['connect ECONNREFUSED 127.0.0.1:9092', 'connect ECONNREFUSED 127.0.0.1:9092'],
  ])('of %j is its reason', (message, text) => {
    expect(errorText(new Error(message))).toBe(text);
  });
});
