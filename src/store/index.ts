export { dataFolder } from './data-folder.ts'
export { openStore } from './open-store.ts'
export type {
  Appended,
  AppendOptions,
  BadRow,
  Change,
  Deleted,
  EntryPage,
  EntryQuery,
  Hit,
  Lease,
  SearchQuery,
  Session,
  SessionDraft,
  SessionId,
  SessionPage,
  SessionQuery,
  Signal,
  Store,
  StoreDeps,
} from './store.ts'
