// What a web page elsewhere, a curious program or a broken client may send to the server of the viewer.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>

#include "capstan/errors.hpp"
#include "capstan/random.hpp"
#include "capstan/serve/view_server.hpp"
#include "capstan/serve/viewer_page.hpp"
#include "capstan/serve/waiting_room.hpp"
#include "support/scratch.hpp"

namespace capstan::serve {
namespace {

using testing_support::Scratch;
using testing_support::set_contents;

/// A connection that sends whatever it likes.
class Connection {
 public:
  explicit Connection(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    timeval patience{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      ADD_FAILURE() << "no connection";
  }
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const std::string& text) const {
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t more = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (more <= 0) return;  // refused in the middle, as it should be
      sent += static_cast<std::size_t>(more);
    }
  }
  std::string receive(std::size_t enough = std::string::npos) const {
    std::string all;
    char buffer[4096];
    for (ssize_t got; all.size() < enough && (got = ::recv(socket_, buffer, sizeof buffer, 0)) > 0;)
      all.append(buffer, static_cast<std::size_t>(got));
    return all;
  }

 private:
  int socket_;
};

int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9)) : 0;
}
std::string body_of(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "" : answer.substr(end + 4);
}

class ViewServer : public testing::Test {
 protected:
  ViewServer() {
    const auto run = scratch / "hair";
    std::filesystem::create_directories(run / "checkpoints");
    set_contents(run / "manifest.json", R"({"scene": "hair.toml"})");
    set_contents(run / "hair.toml", "title = 'hair'");
    set_contents(run / "frames.bin", frames);
    set_contents(run / "secret.txt", "secret");
    set_contents(scratch / "outside.txt", "secret");
    std::filesystem::create_symlink(scratch / "outside.txt", run / "stats.csv");
    std::vector<RunFiles> runs;
    runs.emplace_back(run);
    serve_runs(server, std::move(runs));
    server.post("/echo", "application/json", 100, [](const std::string& body) {
      return Reply{200, "application/json", body};
    });
    server.start(0);
  }
  std::string host() const { return "127.0.0.1:" + std::to_string(server.port()); }
  std::string ask(const std::string& first_line, const std::string& headers = "",
                  const std::string& body = "") const {
    const Connection connection(server.port());
    connection.send(first_line + " HTTP/1.1\r\nHost: " + host() + "\r\nConnection: close\r\n" + headers +
                    "\r\n" + body);
    return connection.receive();
  }
  void expect_alive() const { EXPECT_EQ(status_of(ask("GET /api/runs")), 200); }

  const Scratch scratch;
  const std::string frames = std::string("capframe") + std::string(100000, 'x') + "end";
  LoopbackServer server;
};

TEST_F(ViewServer, ServesThePageTheListAndTheFiles) {
  EXPECT_EQ(body_of(ask("GET /")), std::string(viewer_page()));
  EXPECT_EQ(body_of(ask("GET /api/runs")), R"([{"base":"runs/0/","name":"hair"}])");
  EXPECT_EQ(body_of(ask("GET /runs/0/frames.bin")), frames);
  EXPECT_EQ(body_of(ask("GET /runs/0/hair.toml")), "title = 'hair'");
}

TEST_F(ViewServer, ServesRanges) {
  const auto range = [&](const std::string& bytes) {
    return ask("GET /runs/0/frames.bin", "Range: bytes=" + bytes + "\r\n");
  };
  EXPECT_EQ(status_of(range("0-7")), 206);
  EXPECT_EQ(body_of(range("0-7")), "capframe");
  EXPECT_EQ(body_of(range("-3")), "end");
  EXPECT_EQ(body_of(range("100008-")), "end");
  EXPECT_EQ(body_of(range("100008-999999")), "end");
  EXPECT_EQ(body_of(range("-999999")), frames);
  EXPECT_EQ(status_of(range("200000-300000")), 416);
  EXPECT_EQ(status_of(range("0-1,5-6")), 416);
  expect_alive();
}

TEST_F(ViewServer, GivesNothingElseAway) {
  for (const char* path :
       {"/runs/0/secret.txt", "/runs/0/stats.csv" /* a link */, "/runs/0/checkpoints", "/runs/0/", "/runs/0",
        "/runs/", "/runs/1/manifest.json", "/runs/9999/manifest.json", "/runs/-1/manifest.json",
        "/runs/0/../0/secret.txt", "/runs/0/../../outside.txt", "/runs/0/%2e%2e/outside.txt",
        "/runs/0/..%2foutside.txt", "/runs/0/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/../../../../etc/passwd",
        "//etc/passwd", "/runs/0/manifest.json%00.txt", "/runs/0//etc/passwd", "/runs/0/....//outside.txt"}) {
    const std::string answer = ask(std::string("GET ") + path);
    EXPECT_GE(status_of(answer), 400) << path;
    EXPECT_EQ(answer.find("secret"), std::string::npos) << path;
    EXPECT_EQ(answer.find("root:"), std::string::npos) << path;
  }
  expect_alive();
}

TEST_F(ViewServer, RefusesOtherNamesAndOtherPages) {
  const auto with_host = [&](const std::string& headers) {
    const Connection connection(server.port());
    connection.send("GET /api/runs HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");
    return status_of(connection.receive());
  };
  const std::string port = std::to_string(server.port());
  EXPECT_EQ(with_host("Host: 127.0.0.1:" + port + "\r\n"), 200);
  EXPECT_EQ(with_host("Host: localhost:" + port + "\r\n"), 200);
  EXPECT_EQ(with_host("Host: evil.example:" + port + "\r\n"), 403);
  EXPECT_EQ(with_host("Host: 127.0.0.1\r\n"), 403);
  EXPECT_EQ(with_host("Host: 127.0.0.1:" + port + "\r\nHost: evil.example\r\n"), 403);
  EXPECT_EQ(with_host(""), 403);
  const std::string us = "Host: 127.0.0.1:" + port + "\r\n";
  EXPECT_EQ(with_host(us + "Origin: http://127.0.0.1:" + port + "\r\n"), 200);
  EXPECT_EQ(with_host(us + "Origin: http://evil.example\r\n"), 403);
  EXPECT_EQ(with_host(us + "Origin: https://127.0.0.1:" + port + "\r\n"), 403);
  EXPECT_EQ(with_host(us + "Origin: null\r\n"), 403);
  EXPECT_EQ(with_host(us + "Sec-Fetch-Site: cross-site\r\n"), 403);
  EXPECT_EQ(status_of(ask("DELETE /runs/0/frames.bin")), 405);
  EXPECT_EQ(status_of(ask("PUT /runs/0/frames.bin", "Content-Length: 1\r\n", "x")), 405);
}

TEST_F(ViewServer, RefusesWhatIsPostedInTheWrongWay) {
  const auto post = [&](const std::string& type, const std::string& body) {
    return status_of(
        ask("POST /echo",
            "Content-Type: " + type + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n", body));
  };
  EXPECT_EQ(post("application/json", "{}"), 200);
  EXPECT_EQ(post("text/plain", "{}"), 415);  // what a form of another page can send
  EXPECT_EQ(post("application/json", std::string(1000, ' ')), 413);
  EXPECT_GE(status_of(ask("POST /echo", "Content-Type: application/json\r\nContent-Length: 99999999999\r\n")),
            400);
  expect_alive();
}

TEST_F(ViewServer, SurvivesGarbageAndLongRequests) {
  Random random(5);
  for (int k = 0; k < 40; ++k) {
    std::string bytes;
    for (int i = 0; i < 300; ++i) bytes += static_cast<char>(static_cast<unsigned char>(random.bits() % 256));
    const Connection connection(server.port());
    connection.send(bytes + "\r\n\r\n");
  }
  ask("GET /" + std::string(100000, 'a'));
  ask("GET /", "X-Long: " + std::string(1000000, 'a') + "\r\n");
  std::string many;
  for (int k = 0; k < 5000; ++k) many += "X-" + std::to_string(k) + ": 1\r\n";
  ask("GET /", many);
  expect_alive();
}

TEST_F(ViewServer, GivesUpOnHalfOpenRequests) {
  std::vector<std::unique_ptr<Connection>> waiting;
  for (int k = 0; k < 40; ++k) {
    waiting.push_back(std::make_unique<Connection>(server.port()));
    waiting.back()->send(k % 2 ? "GET / HTT" : "POST /echo HTTP/1.1\r\nContent-Length: 50\r\n\r\nx");
  }
  expect_alive();  // after they have been given up, or beside them
  {
    const Connection leaves_early(server.port());
    leaves_early.send("GET /runs/0/frames.bin HTTP/1.1\r\nHost: " + host() + "\r\n\r\n");
  }
  expect_alive();
}

TEST_F(ViewServer, HundredsOfHalfOpenConnectionsHoldUpNobody) {
  std::vector<std::unique_ptr<Connection>> waiting;
  for (int k = 0; k < 300; ++k) {
    waiting.push_back(std::make_unique<Connection>(server.port()));
    if (k % 3 > 0) waiting.back()->send(k % 3 == 1 ? "GET / HTT" : "GET / HTTP/1.1\r\nHost: ");
  }
  // None of the 300 has a thread, so an answer needs no time limit of theirs to pass.
  for (int k = 0; k < 20; ++k) expect_alive();
}

TEST_F(ViewServer, SendsAwayWhoWaitsLongestIfTooManyDo) {
  const Connection first(server.port());
  std::vector<std::unique_ptr<Connection>> others;
  for (std::size_t k = 0; k < WaitingLimits().clients; ++k)
    others.push_back(std::make_unique<Connection>(server.port()));
  EXPECT_EQ(first.receive(), "");  // closed
  others.back()->send("GET /api/runs HTTP/1.1\r\nHost: " + host() + "\r\n\r\n");
  EXPECT_EQ(status_of(others.back()->receive()), 200);
}

TEST_F(ViewServer, TakesARequestThatComesInPieces) {
  const Connection connection(server.port());
  for (const std::string piece :
       {"POST /echo HTTP/1.1\r\nHo", "st: ", host().c_str(),
        "\r\nContent-Type: application/json\r\nContent-Le", "ngth: 5\r\n\r\n[1,", "2]"}) {
    connection.send(piece);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(body_of(connection.receive()), "[1,2]");
}

TEST(WaitingRoom, KnowsAWholeRequest) {
  EXPECT_FALSE(is_whole_request("GET / HTTP/1.1\r\nHost: x\r\n", 1000));
  EXPECT_TRUE(is_whole_request("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 1000));
  EXPECT_FALSE(is_whole_request("POST / HTTP/1.1\r\nContent-LENGTH: 3\r\n\r\nab", 1000));
  EXPECT_TRUE(is_whole_request("POST / HTTP/1.1\r\nContent-LENGTH: 3\r\n\r\nabc", 1000));
  EXPECT_TRUE(is_whole_request("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n", 1000));  // to be refused
}

TEST_F(ViewServer, LetsOnlyAFewListen) {
  LoopbackServer events;
  events.get_events("/events", [] { return [] { return std::string("data: tick\n\n"); }; });
  events.start(0);
  const std::string request =
      "GET /events HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(events.port()) + "\r\n\r\n";
  {
    std::vector<std::unique_ptr<Connection>> listeners;
    int refused = 0;
    for (int k = 0; k < 8; ++k) {
      listeners.push_back(std::make_unique<Connection>(events.port()));
      listeners.back()->send(request);
    }
    for (const auto& listener : listeners) refused += status_of(listener->receive(20)) == 503;
    EXPECT_EQ(refused, 4);
  }
  events.stop();
}

TEST(RunFiles, RefusesWhatIsNoRun) {
  const Scratch scratch;
  EXPECT_THROW(RunFiles(scratch / "nothing"), InputError);
  EXPECT_THROW(RunFiles(scratch.path()), InputError);
}

TEST(ViewerPage, HoldsTheRunsItIsGiven) {
  const Scratch scratch;
  set_contents(scratch / "manifest.json", R"({"scene": "a.toml"})");
  set_contents(scratch / "a.toml", "hi");
  std::vector<RunFiles> runs;
  runs.emplace_back(scratch.path());
  const std::string page = page_with(runs);
  EXPECT_NE(page.find("\"a.toml\":\"aGk=\""), std::string::npos);
  EXPECT_NE(page.find("id=\"capstan-embedded\""), std::string::npos);
}

}  // namespace
}  // namespace capstan::serve
