import OTP

/// The tables and the function that a ledger keeps in a database, all in one PostgreSQL schema.
struct Schema: Sendable {
  /// The number of this layout, which is stored beside it.
  static let version: Int64 = 1

  /// The advisory lock under which a schema is made: "otp" in ASCII.
  static let migrationLock: Int64 = 0x6F7470

  let name: String

  /// - Throws: `invalidArgument` for what cannot stand between quotation marks and dollar quotes as it is.
  init(name: String) throws(OTPError) {
    guard
      (1...63).contains(name.utf8.count), name.utf8.first.map(isDigit) == false,
      name.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") })
    else {
      throw OTPError(
        .invalidArgument,
        "a schema's name has 1 to 63 ASCII letters, digits and underscores, and no digit first")
    }
    self.name = name
  }

  /// A table or function of the schema.
  func qualified(_ object: String) -> String {
    "\"\(name)\".\(object)"
  }

  /// What an attempt claims, as the function `settle` reads it.
  enum Claim: Int16 {
    case match = 0
    /// A match that uses up nothing.
    case check = 1
    case noMatch = 2
    case noMatchAfter = 3
  }

  /// What became of an attempt, as the function `settle` writes it. All other values are the end of a lock,
  /// which is never negative.
  enum Outcome: Int64 {
    case accepted = -1
    case replayed = -2
    case mismatch = -3
    case stale = -4
  }

  /// Lock lengths for each throttle in the argument `delays` of `settle`: after the first wrong code in a
  /// row, the second, and so on; a throttle's maximum is no higher.
  static let delaysPerThrottle = 100

  /// Makes all of it, in a transaction of the caller's.
  func creation(includingSchema: Bool) -> String {
    """
    \(includingSchema ? "CREATE SCHEMA \"\(name)\";" : "")

    CREATE TABLE \(qualified("version")) (version bigint NOT NULL);
    INSERT INTO \(qualified("version")) VALUES (\(Self.version));

    -- Room is left on each page, so that an update stays on it and needs no new index entry.
    CREATE TABLE \(qualified("credential")) (
      id bytea CONSTRAINT credential_pkey PRIMARY KEY,
      -- The step with its top bit flipped: in the order of unsigned numbers, as a signed one.
      last_step bigint,
      failures bigint NOT NULL,
      locked_until bigint NOT NULL,
      drift integer NOT NULL,
      -- Unix seconds after which the row may be pruned.
      kept_until bigint NOT NULL,
      -- The transaction that wrote the row last: whether it is still as it was read.
      writer xid8 NOT NULL
    ) WITH (fillfactor = 80);

    \(settleFunction)
    """
  }

  /// The rule, `CredentialState.settle`, for a whole group.
  ///
  /// Rows are read without a lock, judged, and written by one statement that locks them in the order of
  /// their ids, so that groups never wait for each other in a circle. It writes a row only if no one has
  /// done so since it was read; what others were faster with is judged again, now under the lock. An attempt
  /// that changes nothing locks and writes nothing. It relies on `READ COMMITTED`, where each statement
  /// sees what was committed before it.
  private var settleFunction: String {
    """
    CREATE FUNCTION \(qualified("settle"))(
      ids bytea[], times bigint[], claims smallint[], steps bigint[], drifts integer[],
      throttles integer[], delays bigint[], ends bigint[]
    ) RETURNS bigint[] LANGUAGE plpgsql AS $settle$
    DECLARE
      forever CONSTANT bigint := \(Int64.max);
      outcomes bigint[] := array_fill(0::bigint, ARRAY[cardinality(ids)]);
      attempt record;
      place integer;
      -- The credential whose attempts are judged, and its state.
      current bytea;
      step bigint;
      failed bigint;
      locked bigint;
      off integer;
      kept bigint;
      is_changed boolean;
      delay bigint;
      -- The credentials that are changed, and their new states.
      changes integer;
      changed bytea[];
      new_steps bigint[];
      new_failures bigint[];
      new_locks bigint[];
      new_drifts integer[];
      new_ends bigint[];
      old_writers xid8[];
      -- The credentials that were written, and those that must be judged again; all when NULL.
      written bytea[];
      revived bytea[];
      again bytea[];
    BEGIN
      LOOP
        current := NULL;
        changes := 0;
        changed := '{}';
        new_steps := '{}';
        new_failures := '{}';
        new_locks := '{}';
        new_drifts := '{}';
        new_ends := '{}';
        old_writers := '{}';
        FOR attempt IN
          SELECT a.id, a.place, c.last_step, c.failures, c.locked_until, c.drift, c.kept_until, c.writer
          FROM unnest(ids) WITH ORDINALITY AS a (id, place)
          LEFT JOIN \(qualified("credential")) AS c ON c.id = a.id
          WHERE again IS NULL OR a.id = ANY (again)
          ORDER BY a.id, a.place
        LOOP
          place := attempt.place;
          IF current IS DISTINCT FROM attempt.id THEN
            current := attempt.id;
            step := attempt.last_step;
            failed := coalesce(attempt.failures, 0);
            locked := coalesce(attempt.locked_until, 0);
            off := coalesce(attempt.drift, 0);
            kept := attempt.kept_until;
            is_changed := false;
          END IF;

          IF times[place] < locked OR locked = forever THEN
            outcomes[place] := locked;
            CONTINUE;
          ELSIF claims[place] <= \(Claim.check.rawValue) THEN
            IF steps[place] <= step THEN
              outcomes[place] := \(Outcome.replayed.rawValue);
              CONTINUE;
            END IF;
            outcomes[place] := \(Outcome.accepted.rawValue);
            CONTINUE WHEN claims[place] = \(Claim.check.rawValue);
            step := steps[place];
            failed := 0;
            locked := 0;
            off := coalesce(drifts[place], off);
          ELSIF claims[place] = \(Claim.noMatchAfter.rawValue) AND steps[place] IS DISTINCT FROM step THEN
            outcomes[place] := \(Outcome.stale.rawValue);
            CONTINUE;
          ELSE
            outcomes[place] := \(Outcome.mismatch.rawValue);
            failed := least(failed + 1, \(UInt32.max));
            delay := delays[throttles[place] * \(Self.delaysPerThrottle) + least(failed, \(Self.delaysPerThrottle))];
            locked := CASE
              WHEN delay = 0 THEN 0
              WHEN delay > forever - times[place] THEN forever
              ELSE times[place] + delay
            END;
          END IF;

          kept := greatest(kept, ends[place]);
          IF NOT is_changed THEN
            is_changed := true;
            changes := changes + 1;
            changed[changes] := current;
            old_writers[changes] := attempt.writer;
          END IF;
          new_steps[changes] := step;
          new_failures[changes] := failed;
          new_locks[changes] := locked;
          new_drifts[changes] := off;
          new_ends[changes] := kept;
        END LOOP;
        EXIT WHEN changes = 0;

        -- A row's own `writer` is the one that was read: if there is another now, the row is left as it is.
        WITH written AS (
          INSERT INTO \(qualified("credential")) AS stored
            (id, last_step, failures, locked_until, drift, kept_until, writer)
          SELECT n.id, n.step, n.failures, n.lock, n.drift, n.kept, coalesce(n.writer, pg_current_xact_id())
          FROM unnest(changed, new_steps, new_failures, new_locks, new_drifts, new_ends, old_writers)
            AS n (id, step, failures, lock, drift, kept, writer)
          ORDER BY n.id
          ON CONFLICT ON CONSTRAINT credential_pkey DO UPDATE SET
            last_step = EXCLUDED.last_step, failures = EXCLUDED.failures,
            locked_until = EXCLUDED.locked_until, drift = EXCLUDED.drift,
            kept_until = EXCLUDED.kept_until, writer = pg_current_xact_id()
          WHERE stored.writer = EXCLUDED.writer
          RETURNING stored.id, stored.writer
        )
        SELECT array_agg(w.id) FILTER (WHERE w.writer = pg_current_xact_id()),
          array_agg(w.id) FILTER (WHERE w.writer <> pg_current_xact_id())
        INTO written, revived FROM written AS w;
        EXIT WHEN cardinality(written) = changes;
        -- A row that was pruned since it was read is there again, with the old writer: it begins anew.
        UPDATE \(qualified("credential"))
        SET last_step = NULL, failures = 0, locked_until = 0, drift = 0, kept_until = 0,
          writer = pg_current_xact_id()
        WHERE id = ANY (revived);
        again := ARRAY(SELECT unnest(changed) EXCEPT SELECT unnest(written));
      END LOOP;
      RETURN outcomes;
    END
    $settle$;
    """
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}
