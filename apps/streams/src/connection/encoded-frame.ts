const TEXT_FRAME = 0x81;
const MOST_IN_ONE_BYTE = 125;
const MOST_IN_TWO_BYTES = 0xffff;

/** A frame for any number of clients, encoded at most once for each transport. */
export class EncodedFrame {
  private webSocketBytes: Buffer | undefined;
  private socketIoBytes: Buffer | undefined;

  /** @param json JSON of an object whose `type` is this one */
  constructor(
    private readonly type: string,
    readonly json: string,
  ) {}

  /** A WebSocket text message. */
  get webSocket(): Buffer {
    return (this.webSocketBytes ??= textMessage(this.json));
  }

  /** The same as an event of Socket.IO's default namespace: engine message 4, packet event 2. */
  get socketIo(): Buffer {
    return (this.socketIoBytes ??= textMessage(`42["${this.type}",${this.json}]`));
  }
}

/** A server's unmasked, unfragmented, uncompressed text message (RFC 6455, 5.2). */
export function textMessage(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerBytes = length <= MOST_IN_ONE_BYTE ? 2 : length <= MOST_IN_TWO_BYTES ? 4 : 10;
  const message = Buffer.allocUnsafe(headerBytes + length);
  message[0] = TEXT_FRAME;
  if (headerBytes === 2) message[1] = length;
  else if (headerBytes === 4) {
    message[1] = 126;
    message.writeUInt16BE(length, 2);
  } else {
    message[1] = 127;
    message.writeBigUInt64BE(BigInt(length), 2);
  }
  message.write(text, headerBytes);
  return message;
}
