import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Lets another program hold a database file. Returns how to let it go. */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(process.argv[1])
    database.exec('BEGIN EXCLUSIVE')
    console.log('held')
    process.stdin.once('data', () => { database.exec('COMMIT'); process.exit() })`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.write('go')
    await once(child, 'exit')
  }
}
