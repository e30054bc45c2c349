import { Transform } from 'class-transformer';
import { Matches } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { SCOPES, type Scope } from '../../tiers';
import { Example, Field, TIMESTAMP } from '../fields';
import { NewKeyFields } from './keys';

const DEVICE_CODE = 'Zm9yIHRoZSBleGFtcGxlIG9ubHksIG5vdCBhIGtleSE';
const USER_CODE = 'WDJB-MJHT';

/** Letters of a user code: no vowels, so that no code is a word. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** Body of POST /account/v1/device/code. */
@Example({ name: 'plimsoll on laptop', scopes: ['positions:read'] })
export class DeviceCodeBody extends NewKeyFields {}

/** Response of POST /account/v1/device/code. */
@Example({
  deviceCode: DEVICE_CODE,
  userCode: USER_CODE,
  verificationUri: 'https://api.example.com/docs/device',
  verificationUriComplete: `https://api.example.com/docs/device#${USER_CODE}`,
  expiresInSeconds: 600,
  intervalSeconds: 5,
})
export class DeviceCodes {
  @Field.Text('A secret of the program, which exchanges it for the key.', { pattern: '^[A-Za-z0-9_-]{43}$' })
  deviceCode!: string;

  @Field.Text('The code that the user enters.', {
    pattern: `^[${USER_CODE_LETTERS}]{4}-[${USER_CODE_LETTERS}]{4}$`,
  })
  userCode!: string;

  @Field.Text('Page where the user enters it.') verificationUri!: string;
  @Field.Text('The same page, with the code.') verificationUriComplete!: string;
  @Field.Integer('Lifetime of both codes.', { min: 1 }) expiresInSeconds!: number;
  @Field.Integer('Seconds between two requests for the key.', { min: 1 }) intervalSeconds!: number;
}

/** Body of POST /account/v1/device/token. */
@Example({ deviceCode: DEVICE_CODE })
export class DeviceTokenBody {
  @JSONSchema({ description: 'The deviceCode of POST /account/v1/device/code.' })
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: 'deviceCode must be the 43 characters of the response' })
  deviceCode!: string;
}

/** Body of POST /account/v1/device/show, approve and deny. */
@Example({ userCode: USER_CODE })
export class UserCodeBody {
  @JSONSchema({
    description: 'The code that the device shows. Case, spaces and hyphens do not matter.',
    pattern: `^([${USER_CODE_LETTERS}${USER_CODE_LETTERS.toLowerCase()}][ -]*){8}$`,
    maxLength: 39,
  })
  @Transform(({ value }) =>
    typeof value === 'string' && value.length < 40
      ? value.replace(/[\s-]/g, '').toUpperCase()
      : (value as unknown),
  )
  @Matches(new RegExp(`^[${USER_CODE_LETTERS}]{8}$`), {
    message: 'userCode must be the eight letters that the device shows',
  })
  userCode!: string;
}

class DeviceRequestFields {
  @Field.Text('Name of the key. The program chose it.') name!: string;
  @Field.Word(SCOPES, 'Permissions of the key.', { list: true }) scopes!: Scope[];
  @Field.Text('Client address of the program.') address!: string;
  @Field.Text('User-Agent of the program. Null when it sent none.', { nullable: true })
  userAgent!: string | null;

  @Field.Timestamp('When the program requested the code.') createdAt!: string;
  @Field.Timestamp('When the code expires.') expiresAt!: string;
  @Field.Timestamp('When the key would expire, if it were created now.') keyExpiresAt!: string;
}

/** Response of POST /account/v1/device/show. */
@Example({
  request: {
    name: 'plimsoll on laptop',
    scopes: ['positions:read'],
    address: '203.0.113.7',
    userAgent: 'plimsoll-cli/0.1.0',
    createdAt: TIMESTAMP,
    expiresAt: TIMESTAMP,
    keyExpiresAt: TIMESTAMP,
  },
})
export class DeviceRequest {
  @Field.Object(() => DeviceRequestFields, 'What the program requests.') request!: DeviceRequestFields;
}
