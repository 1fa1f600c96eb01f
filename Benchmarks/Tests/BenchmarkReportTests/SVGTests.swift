import BenchmarkReport
import Foundation
import Testing

/// Another version of gnuplot may draw in another way.
@Suite struct SVGTests {
  @Test(arguments: [
    ("<g font-size='13' fill='red'><text>x</text></g>", "unknown colour: red"),
    ("<polygon points='0,0' fill='rgb(2,0,11)'/>", "unknown colour"),
    ("<image/>", "unknown element: image"),
    ("<use xlink:href='#gpPt3' color='rgb(1,0,11)'/>", "unknown mark: #gpPt3"),
    ("<path d='M0,0 L1,1' stroke='rgb(1,0,11)'/>", "fewer marks"), ("<g>", "no SVG"),
  ])
  func whatIsNotKnownIsAnError(content: String, message: String) {
    let error = #expect(throws: ReportError.self) { try read(content) }
    #expect(error?.description.contains(message) == true)
  }

  @Test func whatIsKnownIsNone() throws {
    try read("<polygon points='0,0 1,1 1,0' fill = 'rgb(  1,   0,  11)'/>")
  }

  private func read(_ content: String) throws {
    let drawing = Drawing(
      title: "", summary: "", width: 1, height: 1, commands: "", tips: [["a"]])
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
      <g id="gnuplot_plot_1">\(content)</g></svg>
      """
    _ = try SVG(Data(svg.utf8), drawing)
  }
}
