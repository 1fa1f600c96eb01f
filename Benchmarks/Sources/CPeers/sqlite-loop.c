// The statements of a group and nothing else: what SQLite itself takes.
#include "cpeers.h"

#include <sqlite3.h>
#include <stdlib.h>

struct cpeers_sqlite_loop {
  sqlite3 *connection;
  sqlite3_stmt *begin, *commit, *select, *upsert;
};

static const char *const settings =
  "PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 16384";
static const char *const select_state =
  "SELECT last_step, failures, locked_until, drift FROM otp_state WHERE id = ?1";
static const char *const upsert_state =
  "INSERT INTO otp_state (id, last_step, failures, locked_until, drift) VALUES (?1, ?2, ?3, ?4, ?5) "
  "ON CONFLICT (id) DO UPDATE SET last_step = excluded.last_step, failures = excluded.failures, "
  "locked_until = excluded.locked_until, drift = excluded.drift";

cpeers_sqlite_loop *cpeers_sqlite_loop_open(const char *path) {
  cpeers_sqlite_loop *loop = calloc(1, sizeof *loop);
  if (loop == NULL) return NULL;
  const unsigned kept = SQLITE_PREPARE_PERSISTENT;
  if (sqlite3_open_v2(path, &loop->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
      sqlite3_exec(loop->connection, settings, NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_prepare_v3(loop->connection, "BEGIN IMMEDIATE", -1, kept, &loop->begin, NULL) == SQLITE_OK &&
      sqlite3_prepare_v3(loop->connection, "COMMIT", -1, kept, &loop->commit, NULL) == SQLITE_OK &&
      sqlite3_prepare_v3(loop->connection, select_state, -1, kept, &loop->select, NULL) == SQLITE_OK &&
      sqlite3_prepare_v3(loop->connection, upsert_state, -1, kept, &loop->upsert, NULL) == SQLITE_OK) {
    return loop;
  }
  cpeers_sqlite_loop_close(loop);
  return NULL;
}

void cpeers_sqlite_loop_close(cpeers_sqlite_loop *loop) {
  sqlite3_finalize(loop->begin);
  sqlite3_finalize(loop->commit);
  sqlite3_finalize(loop->select);
  sqlite3_finalize(loop->upsert);
  sqlite3_close(loop->connection);
  free(loop);
}

static bool run(sqlite3_stmt *statement) {
  const bool is_done = sqlite3_step(statement) == SQLITE_DONE;
  return sqlite3_reset(statement) == SQLITE_OK && is_done;
}

/// Reads a state and writes it with another step, if that is higher.
static bool advance(const cpeers_sqlite_loop *loop, const char *id, int length, int64_t step) {
  sqlite3_bind_blob(loop->select, 1, id, length, SQLITE_STATIC);
  const bool is_below = sqlite3_step(loop->select) == SQLITE_ROW && sqlite3_column_int64(loop->select, 0) < step;
  sqlite3_bind_blob(loop->upsert, 1, id, length, SQLITE_STATIC);
  sqlite3_bind_int64(loop->upsert, 2, step);
  for (int column = 1; column <= 3; column++) {
    sqlite3_bind_int64(loop->upsert, 2 + column, sqlite3_column_int64(loop->select, column));
  }
  sqlite3_reset(loop->select);
  return is_below && run(loop->upsert);
}

bool cpeers_sqlite_loop_settle(
  const cpeers_sqlite_loop *loop, const char *ids, size_t length, size_t count, int64_t step) {
  if (!run(loop->begin)) return false;
  for (size_t place = 0; place < count; place++) {
    if (!advance(loop, ids + place * length, (int)length, step)) return false;
  }
  return run(loop->commit);
}
