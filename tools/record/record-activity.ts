import { recordingClient, type ChainClient } from '@plimsoll/evm';
import { readActivity, serialiseActivity, type RecordedActivity } from '@plimsoll/protocols';

/** An activity in a row: its file, and what it has. */
export interface ActivityRecording {
  file: Buffer;
  activities: number;
  permissions: number;
  positions: number;
}

/** Reads the activity over the node and records it in the states of its blocks. @throws ChainReadError */
export async function recordActivity(
  request: RecordedActivity,
  client: ChainClient,
): Promise<ActivityRecording> {
  const recorder = recordingClient(client, ...request.states);
  const { read, after } = await readActivity(request, recorder);
  return {
    file: serialiseActivity(request),
    activities: read.activities.length,
    permissions: read.permissions.length,
    positions: after.positions.length,
  };
}
