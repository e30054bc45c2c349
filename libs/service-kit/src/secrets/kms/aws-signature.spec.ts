import { type AwsRequest, signedHeaders } from './aws-signature';

/** Of AWS's published test suite for Signature Version 4: its credentials, time and scope. */
const CREDENTIALS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const SCOPE = { region: 'us-east-1', service: 'service', nowMs: Date.UTC(2015, 7, 30, 12, 36) };
const TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';
const at = (changes: Partial<AwsRequest>): AwsRequest => ({
  method: 'POST',
  host: 'example.amazonaws.com',
  headers: {},
  body: '',
  ...changes,
});

describe("AWS's published test vectors of Signature Version 4", () => {
  it.each<[string, AwsRequest, string, string]>([
    [
      'post-vanilla',
      at({}),
      'host;x-amz-date',
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      'get-header-value-trim',
      at({ method: 'GET', headers: { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' } }),
      'host;my-header1;my-header2;x-amz-date',
      'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    ],
    [
      'post-header-key-sort',
      at({ headers: { 'My-Header1': 'value1' } }),
      'host;my-header1;x-amz-date',
      'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
    ],
    [
      'post-x-www-form-urlencoded',
      at({
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': '13',
          'x-amz-content-sha256': '9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e',
        },
        body: 'Param1=value1',
      }),
      'content-length;content-type;host;x-amz-content-sha256;x-amz-date',
      'd3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b',
    ],
  ])('%s', (_, request, names, signature) => {
    expect(signedHeaders(request, CREDENTIALS, SCOPE)).toMatchObject({
      'x-amz-date': '20150830T123600Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    });
  });

  it('post-sts-header-before', () => {
    const headers = signedHeaders(at({}), { ...CREDENTIALS, sessionToken: TOKEN }, SCOPE);
    expect(headers['x-amz-security-token']).toBe(TOKEN);
    expect(headers['authorization']).toContain(
      'Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
    );
  });
});
