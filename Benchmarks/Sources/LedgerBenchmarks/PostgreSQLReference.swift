package import BenchmarkRegistry

/// The function `settle` called inside the server, with arrays made there, and timed by the server's clock:
/// what the server does for a group without the exchange of the group and of the outcomes.
///
/// Each call is a transaction of its own that is committed within the time, as each group of the ledger is,
/// and the session has the settings of the ledger's.
package final class PostgreSQLReference {
  private let psql: ChildProcess
  private let workload: SettleWorkload

  private let rounds = SettleBenchmarks.groupCount

  /// - Parameters:
  ///   - connection: as libpq takes it.
  ///   - schema: of a ledger that has used the credentials of `workload`.
  package init(connection: String, schema: String, _ workload: SettleWorkload) throws {
    self.workload = workload
    psql = try ChildProcess(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", connection])
    try psql.send(Self.settings)
    try psql.send(Self.procedure(schema, workload))
  }

  /// Removes a schema, for a ledger that is to be made anew.
  package static func drop(schema: String, connection: String) throws {
    _ = try ChildProcess.output(of: [
      "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", connection,
      "-c", "SET client_min_messages = error", "-c", "DROP SCHEMA IF EXISTS \(schema) CASCADE",
    ])
  }

  package func acceptances() -> PreparedBenchmark {
    benchmark(advances: true, outcome: -1)
  }

  package func replays() -> PreparedBenchmark {
    benchmark(advances: false, outcome: -2)
  }

  private func benchmark(advances: Bool, outcome: Int) -> PreparedBenchmark {
    PreparedBenchmark(
      items: rounds * SettleWorkload.groupSize,
      .timed { [self] in
        var steps: [UInt64] = []
        for _ in 0..<rounds { steps.append(workload.advance()) }
        let times = steps.map { String(SettleWorkload.time(of: $0).seconds) }
        let claims = steps.map { String(advances ? $0 : SettleWorkload.firstStep) }
        try psql.send(
          """
          CALL pg_temp.reference('{\(times.joined(separator: ","))}',
            '{\(claims.joined(separator: ","))}', \(outcome), NULL);
          """)
        guard let seconds = Double(try psql.readLine()) else {
          throw BenchmarkFault("PostgreSQL's reference: psql answered no time")
        }
        return seconds
      })
  }

  private static let settings = """
    SET search_path = pg_catalog;
    SET enable_seqscan = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    SET jit = off;
    SET default_transaction_isolation = 'read committed';
    """

  /// For each time a group of other credentials in a random order, with one step, and what
  /// `SettleParameters` would send for them.
  private static func procedure(_ schema: String, _ workload: SettleWorkload) -> String {
    let size = SettleWorkload.groupSize
    return """
      CREATE PROCEDURE pg_temp.reference(
        moments bigint[], claimed bigint[], expected bigint, INOUT seconds float8
      ) LANGUAGE plpgsql AS $reference$
      DECLARE
        ids bytea[];
        times bigint[];
        claims smallint[];
        steps bigint[];
        drifts integer[];
        throttles integer[];
        delays bigint[];
        ends bigint[];
        outcomes bigint[];
        start timestamptz;
      BEGIN
        seconds := 0;
        FOR round IN 1..cardinality(moments) LOOP
          ids := ARRAY(
            SELECT convert_to(lpad(n::text, 12, '0'), 'UTF8')
            FROM (
              SELECT DISTINCT floor(random() * \(workload.credentialCount))::integer
              FROM generate_series(1, \(2 * size))
            ) AS drawn (n)
            ORDER BY random() LIMIT \(size));
          times := array_fill(moments[round], ARRAY[\(size)]);
          claims := array_fill(0::smallint, ARRAY[\(size)]);
          steps := array_fill(claimed[round] # '-9223372036854775808'::bigint, ARRAY[\(size)]);
          drifts := array_fill(NULL::integer, ARRAY[\(size)]);
          throttles := array_fill(0, ARRAY[\(size)]);
          delays := array_fill(0::bigint, ARRAY[100]);
          ends := array_fill(moments[round] + \(SettleWorkload.retention), ARRAY[\(size)]);
          COMMIT;
          start := clock_timestamp();
          outcomes := \(schema).settle(ids, times, claims, steps, drifts, throttles, delays, ends);
          COMMIT;
          seconds := seconds + extract(epoch FROM clock_timestamp() - start);
          IF cardinality(outcomes) <> \(size) OR NOT expected = ALL (outcomes) THEN
            RAISE EXCEPTION 'not all outcomes are %', expected;
          END IF;
        END LOOP;
      END
      $reference$;
      """
  }
}
