/// The statements that a ledger prepares on its connection, when each is first needed.
enum Statement: String {
  case settle
  case states
  case resetThrottle
  case resetEverything
  case pageCount
  case prune

  /// Whether it changes what is stored: then a lost answer leaves open whether it did.
  var writes: Bool {
    switch self {
    case .settle, .resetThrottle, .resetEverything, .prune: true
    case .states, .pageCount: false
    }
  }

  func text(in schema: Schema) -> String {
    let credential = schema.qualified("credential")
    switch self {
    case .settle:
      return """
        SELECT \(schema.qualified("settle"))(
          $1::bytea[], $2::bigint[], $3::smallint[], $4::bigint[], $5::integer[], $6::integer[],
          $7::bigint[], $8::bigint[])
        """
    case .states:
      return """
        SELECT c.last_step, c.failures, c.locked_until, c.drift
        FROM unnest($1::bytea[]) WITH ORDINALITY AS a (id, place)
        LEFT JOIN \(credential) AS c ON c.id = a.id
        ORDER BY a.place
        """
    case .resetThrottle:
      return """
        UPDATE \(credential) SET failures = 0, locked_until = 0, writer = pg_current_xact_id()
        WHERE id = $1::bytea
        """
    case .resetEverything:
      // The row is left for `prune`: it must not vanish while a group that has read it is judged.
      return """
        UPDATE \(credential)
        SET last_step = NULL, failures = 0, locked_until = 0, drift = 0, kept_until = 0,
          writer = pg_current_xact_id()
        WHERE id = $1::bytea
        """
    case .pageCount:
      return """
        SELECT pg_relation_size('\(credential)'::regclass) / current_setting('block_size')::bigint
        """
    case .prune:
      // It waits for no row: one that is locked is in use. So no group and no pruning wait for each other
      // in a circle, although their orders differ.
      return """
        WITH pruned AS (
          DELETE FROM \(credential) WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM \(credential)
            WHERE ctid >= ('(' || $2::bigint || ',0)')::tid AND ctid < ('(' || $3::bigint || ',0)')::tid
              AND kept_until < $1::bigint AND locked_until <= $1::bigint
            FOR UPDATE SKIP LOCKED))
          RETURNING 1
        )
        SELECT count(*) FROM pruned
        """
    }
  }
}
