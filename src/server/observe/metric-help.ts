/** What each metric counts, for its HELP line. */
export const METRIC_HELP: Readonly<Record<string, string>> = {
  pith_requests_total: 'Requests by method, route and status.',
  pith_request_seconds: 'Time from a request to the beginning of its answer, by route.',
  pith_messages_total: 'Messages that were appended to sessions.',
  pith_turns_total: 'Turns of the agent, by the reason of their end.',
  pith_compactions_total: 'Compactions that were asked for, by outcome.',
  pith_tokens_saved_total: 'Tokens that compactions took out of contexts.',
  pith_running: 'Turns and compactions that run in this process now.',
  pith_streams: 'Event streams that are open now.',
  pith_memory_bytes: 'Resident memory of the process.',
  pith_cpu_seconds: 'Processor time of the process since its start, user and system.',
  pith_event_loop_lag_seconds: 'Mean delay of the event loop since the last time that this was asked.',
  pith_event_loop_lag_most_seconds: 'Longest delay of the event loop since the last time that this was asked.',
  pith_store_seconds: 'Time of a call of the store, by call.',
  pith_store_connections: 'Connections to the database: how many there are.',
  pith_store_connections_idle: 'Connections to the database that nobody uses now.',
  pith_store_waiting: 'Calls that wait for a connection to the database.',
}
