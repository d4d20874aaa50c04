import type { EventEmitter } from 'node:events'

/** Leaves out Node 22's warning that its SQLite is experimental, which every command would print. Other warnings are printed as before. */
export function quietSqlite(warned: EventEmitter): void {
  const before = warned.listeners('warning')
  warned.removeAllListeners('warning')
  warned.on('warning', (warning: Error) => {
    if (warning.name === 'ExperimentalWarning' && warning.message.startsWith('SQLite ')) return
    for (const print of before) Reflect.apply(print, warned, [warning])
  })
}
