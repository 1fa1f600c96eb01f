/// A part of the page about one question.
struct Section {
  /// For links to it.
  let id: String
  let title: String

  /// What is shown and how to read it.
  let introduction: HTML
  let blocks: [Block]

  /// Where there is nothing to show: what to run.
  let whenEmpty: HTML
}

/// Charts that belong together, with their numbers.
struct Block {
  let title: String

  /// In which names of benchmarks it is found.
  let pattern: String?

  /// What is worth to be known before it is unfolded.
  var note: String?
  let figures: [Figure]
  let table: Table

  /// Whether the block is folded away until it is asked for.
  var isFolded = false
}

struct Figure {
  /// Above the chart: what sets it apart from those beside it.
  let caption: String
  let drawing: Drawing

  /// For narrow windows, where the same would be too small to read.
  var narrow: Drawing?
}

/// Numbers as text.
struct Table {
  /// A cell for a name, which may be long.
  static func name(_ text: String) -> HTML {
    text.count > 40 ? "<span class=\"long\">\(text)</span>" : "\(text)"
  }

  struct Column {
    let title: String
    var isNumber = true
  }

  let columns: [Column]

  /// A cell for each column.
  let rows: [[HTML]]

  var html: HTML {
    guard !rows.isEmpty else { return "<p class=\"quiet\">None.</p>" }
    let head = columns.map { column -> HTML in
      column.isNumber
        ? "<th scope=\"col\" class=\"number\">\(column.title)</th>"
        : "<th scope=\"col\">\(column.title)</th>"
    }
    let body = rows.map { row -> HTML in
      let cells = zip(columns, row).map { column, cell -> HTML in
        column.isNumber ? "<td class=\"number\">\(cell)</td>" : "<td>\(cell)</td>"
      }
      return "<tr>\(cells)</tr>\n"
    }
    // What scrolls must be reachable by the keyboard.
    return """
      <div class="scroll" tabindex="0"><table>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(body)</tbody>
      </table></div>
      """
  }
}
