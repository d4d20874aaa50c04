// A process that has one database file open twice, as a library user may. It stores a message for each line that it reads, and
// prints a line after the store has acknowledged it.
import { createInterface } from 'node:readline'
import { openStore } from '../../src/store/open-store.ts'

const path = process.argv[2] ?? ''
const first = await openStore(path)
const { id } = await first.createSession({ owner: 'ann', workspace: '/repo' })
await first.append(id, [{ type: 'message', message: { role: 'user', content: 'before' } }])
const second = await openStore(path)
await second.session(id)
process.on('SIGTERM', async () => {
  await Promise.all([first.close(), second.close()])
  process.exit(0)
})
console.log('ready')
for await (const content of createInterface({ input: process.stdin })) {
  await first.append(id, [{ type: 'message', message: { role: 'user', content } }]).then(
    () => console.log(`stored ${content}`),
    (error: Error) => console.log(`refused: ${error.message}`),
  )
}
