import { expect, it } from 'vitest'
import { indexDelta, viewOf } from '../../../src/engine.ts'
import { decoded, fixture } from '../fixture.ts'

it('mini-SWE-agent ran no command of an answer that it refused for having two', () => {
  const document = JSON.parse(fixture('mini-swe-agent.traj.json'))
  document.messages[4].content += '\n\n```bash\nrm src/other.ts\n```'
  document.messages[5].content = 'Please always provide EXACTLY ONE action in triple backticks, found 2 actions.'
  const { files } = indexDelta(viewOf(decoded(JSON.stringify(document)).entries).items.slice())
  expect(files?.map((file) => file.path)).toEqual(['src/config.ts'])
})
