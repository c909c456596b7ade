@main
struct Policyctl {
  static func main() {}
}
