import { EXAMPLE_SESSION } from '../../../src/cli/example/example-session.ts'
import type { Brain } from '../../support/model-server/index.ts'
import type { WebWorld } from './world.ts'

/** Names something that is nowhere in the session: it has to be flagged. */
export const INVENTED = 'src/upload-manager.ts'

/** Large tool results at the beginning of the third part. */
const MASKED = [214, 216, 218]

const SUMMARY = `## Goal
Uploads larger than 5 MB failed now and then with "socket hang up". The user asked to find out why and to fix it.

## Constraints
- Never change the public API of src/upload.ts, and do not add dependencies.
- Keep the 30 s as the default.

## Done
- \`src/http/client.ts\` closed the socket after 30 s of total time (since #212); \`idleTimer\` now counts from the last byte that was sent.
- \`test/slow-upload.test.ts\` uploads slowly; \`npm test -- upload\` passes.
- \`src/retry.ts\` stays as it is: #230 also covers servers that restart.
- \`src/events.ts\` has an event per part, which \`${INVENTED}\` emits.

## Next
Show the progress on the page in \`src/page/progress.ts\`; the upload must not wait for its listeners.`

/** A focus that the model never comes to an end with. */
export const ENDLESS = 'take your time'

/** A focus about which the model has nothing to say. */
export const UNSAID = 'keep it to yourself'

/** A model that writes one good summary with one invented name. */
export const storyteller: Brain = (request) => {
  const asked = JSON.stringify(request.messages)
  if (asked.includes(ENDLESS)) return new Promise(() => {})
  return { text: asked.includes(UNSAID) ? '' : SUMMARY }
}

/** The messages of the example session; in each round its calls have ids of their own. */
export function exampleMessages(round = 0): unknown[] {
  return JSON.parse(JSON.stringify(EXAMPLE_SESSION).replaceAll('"call-', `"call-${round}-`))
}

/** Without the calls at the end that have no result yet. */
export function settled(messages: readonly unknown[]): unknown[] {
  const last = messages.findLastIndex((message) => !JSON.stringify(message).includes('"tool-call"'))
  return messages.slice(0, last + 1)
}

/** A session that has been compacted twice, has grown since, and has three results masked. */
export async function compactedSession(world: WebWorld, title: string, append = world.append): Promise<string> {
  const id = await world.session(title)
  await append(id, exampleMessages())
  await world.ask('POST', `/v1/sessions/${id}/compact`, { focus: 'the time-out and the events' })
  await append(id, settled(exampleMessages(1).slice(0, 80)))
  await world.ask('POST', `/v1/sessions/${id}/compact`)
  const third = settled(exampleMessages(2).slice(0, 90))
  const first = settled(third.slice(0, 40))
  await append(id, first)
  await world.mask(id, MASKED)
  await append(id, third.slice(first.length))
  return id
}
